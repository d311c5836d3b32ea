"""The Indonesian model of nccp: a folder per model, found through the entry point group ``nccp_models``."""
