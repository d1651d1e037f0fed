"""Sentences and labels of documents, in three languages."""
