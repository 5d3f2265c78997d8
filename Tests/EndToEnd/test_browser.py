"""The browser that stories look with: it may hang, and a story goes on or fails in words, within its time, and the next one has another."""

import contextlib
import os
import signal
import time

import pytest

import browser
from deadline import Late, deadline
from demo import processes_of

PAGE = "data:text/html,<!doctype html><title>Here</title>"


@pytest.fixture
def soon(monkeypatch):
    """Names of deadlines that are a second from now on, until they are as they were: what hangs need not take some tens."""
    @contextlib.contextmanager
    def shortened(*names):
        with monkeypatch.context() as patch:
            for name in names:
                patch.setattr(browser, name, 1)
            yield
    return shortened


def title_of(chromium):
    with chromium.visitor(PAGE) as visitor:
        visitor.go(PAGE)
        return visitor.page.evaluate("document.title")


def send(chromium, what):
    for pid in processes_of(chromium.mark):
        os.kill(pid, what)


def stop(chromium):
    """The browser stands still, as if it hung."""
    send(chromium, signal.SIGSTOP)


def test_a_script_that_never_ends_fails_in_words_and_the_browser_is_good_for_the_next(chromium, soon):
    with chromium.visitor(PAGE) as visitor:
        visitor.go(PAGE)
        with soon("EVALUATING"):
            with pytest.raises(Late, match="Page.evaluate did not return within 1 s"):
                visitor.page.evaluate("() => new Promise(() => {})")
            with pytest.raises(Late, match="Locator.evaluate"):
                visitor.page.locator("html").evaluate("() => { for (;;); }")
    assert title_of(chromium) == "Here"


def test_a_visitor_whose_browser_does_not_let_go_of_it_leaves_and_the_story_stays_what_it_was(chromium, soon):
    before = chromium.mark
    with soon("CLOSING"), chromium.visitor(PAGE) as other, chromium.visitor(PAGE) as visitor:
        visitor.go(PAGE)
        assert visitor.page.title() == "Here"
        stop(chromium)
    assert chromium.mark != before and not processes_of(before), "another browser, and nothing of the first"
    assert other.context.browser is not chromium.browser
    assert title_of(chromium) == "Here"


def test_a_browser_that_hangs_or_is_gone_when_somebody_wants_a_page_is_replaced(chromium, soon):
    stop(chromium)
    with soon("OPENING"):
        chromium.context()
    assert title_of(chromium) == "Here"
    send(chromium, signal.SIGKILL)
    assert title_of(chromium) == "Here"


def test_a_browser_that_hangs_at_its_end_is_ended(chromium, soon):
    stop(chromium)
    with soon("CLOSING"):
        chromium.close()
    assert not processes_of(chromium.mark)
    chromium.start()
    assert title_of(chromium) == "Here"


def test_a_deadline_ends_what_is_late_and_nothing_that_comes_after():
    with pytest.raises(Late, match="a nap did not return within 0.05 s"), deadline(0.05, "a nap"):
        time.sleep(60)
    with deadline(60, "the outer"), pytest.raises(Late, match="the inner"), deadline(0.05, "the inner"):
        time.sleep(60)
    with deadline(2, "what is quick"):
        pass
    time.sleep(2.2)   # it would ring now
