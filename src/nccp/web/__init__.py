"""The server behind ``nccp serve``: a page to look at trees with, and an API for programs.

It needs the extra: ``pip install 'nccp[serve]'``. Nothing here imports torch.
"""
