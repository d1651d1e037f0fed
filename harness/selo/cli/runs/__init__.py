"""Runs of an examination: terms, begin and resume, documents."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cli.runs.dossier_facts import prefill_dossier
    from selo.cli.runs.examination_run import examine_vendor, resume_examination
    from selo.cli.runs.examination_terms import agree_terms, read_request, require_introduction
    from selo.cli.runs.run_documents import render_witness_files, write_documents
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "agree_terms",
    "compared_sides",
    "examine_vendor",
    "prefill_dossier",
    "read_request",
    "render_witness_files",
    "require_introduction",
    "resume_examination",
    "watched_files",
    "write_documents",
]
