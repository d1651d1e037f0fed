"""The exchange with a vendor: chunks of questions, workers, reductions."""
