"""Work that another process does meanwhile, and what becomes of it when that process does not."""

import gc
import os
import signal

import pytest

from selo.parallel import background_work, garbage_collection_off


def test_another_process_does_the_work():
    with background_work(os.getpid, cores=2) as other:
        assert other.result() != os.getpid()


def test_on_one_core_the_work_is_done_here():
    with background_work(os.getpid, cores=1) as here:
        assert here.result() == os.getpid()


def test_an_error_is_raised_where_the_result_is_asked_for():
    def fails():
        msg = "as it must"
        raise LookupError(msg)

    with background_work(fails, cores=2) as other, pytest.raises(LookupError, match="as it must"):
        other.result()


def test_whoever_is_killed_is_stood_in_for():
    here = os.getpid()

    def work():
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return "done"

    with background_work(work, cores=2) as other:
        assert other.result() == "done"


def test_a_result_that_cannot_travel_is_made_here():
    with background_work(lambda: lambda: 7, cores=2) as other:
        assert other.result()() == 7


def test_nothing_is_left_of_work_that_nobody_asked_for():
    with background_work(signal.pause, cores=2) as other:
        pid = other._process.pid  # noqa: SLF001 - nobody else has a reason to know

    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_garbage_is_looked_for_again_afterwards():
    with garbage_collection_off():
        assert not gc.isenabled()

    assert gc.isenabled()
