"""The parser inside other people's tools: spaCy and NLTK."""
