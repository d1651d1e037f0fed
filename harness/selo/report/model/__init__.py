"""The model of a report and of the dossier; the shape of ``report.json``."""

__all__ = ["dossier", "report_model"]
