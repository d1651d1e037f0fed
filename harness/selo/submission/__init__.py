"""Submissions of vendors: what they deliver, signed, and messages between vendor and examiner."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.submission.message_thread import (
        MessageThread,
        ThreadBroken,
    )
    from selo.submission.submission_check import check_submission, find_form_problems
    from selo.submission.submission_manifest import (
        SubmissionManifest,
        pack_submission,
        read_manifest,
    )
else:
    __getattr__ = front_door(__name__)

__all__ = [
    "MessageThread",
    "SubmissionManifest",
    "ThreadBroken",
    "check_submission",
    "find_form_problems",
    "pack_submission",
    "read_manifest",
    "submission_check",
    "submission_manifest",
]
