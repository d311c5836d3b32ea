"""The server behind ``nccp serve``: a page that shows trees, and an API for programs.

It needs the extra: ``pip install 'nccp[serve]'``. Nothing here imports torch.
"""
