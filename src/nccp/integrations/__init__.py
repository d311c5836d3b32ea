"""The parser inside other people's tools: spaCy, NLTK, Ray."""
