"""The fastest English model of nccp, found through the entry point group ``nccp_models``."""
