"""The examination of a vendor: plan, exchange, evidence, fault localisation, findings, result."""
