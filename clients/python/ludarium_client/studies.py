"""Generated from `async_studies.py` by `make schema`: do not edit."""

from ludarium_client.bodies import Comment, CommentPage, NewStudy, Study, StudyPage
from ludarium_client.primitives import Run
from ludarium_client.study_operations import StudyOperations


class Studies:
    def __init__(self, run: Run, do: StudyOperations) -> None:
        self._run, self._do = run, do

    def make(self, table: str, study: NewStudy) -> Study:
        """Begin a study of a game. Shared ones are for games that are over."""
        made: Study = self._run(self._do.make(table, study))
        return made

    def page(self, table: str | None = None, after: str | None = None) -> StudyPage:
        """One's own, the newest first; of all tables or of one."""
        told: StudyPage = self._run(self._do.page(table, after))
        return told

    def get(self, study: str, version: int | None = None) -> Study:
        """One's own, or one that is shared."""
        told: Study = self._run(self._do.get(study, version))
        return told

    def change(self, study: Study, change: NewStudy) -> Study:
        """Write its next version. Raises Problem `study-changed` where there is a newer one than `study`."""
        told: Study = self._run(self._do.change(study, change))
        return told

    def forget(self, study: str) -> None:
        """There is no way back."""
        self._run(self._do.forget(study))

    def comments(self, table: str, after: str | None = None) -> CommentPage:
        """What was said about a game that is over, the oldest first."""
        told: CommentPage = self._run(self._do.comments(table, after))
        return told

    def comment(self, table: str, text: str, at: int | None = None) -> Comment:
        """Of the event `at`, or of the game as a whole."""
        said: Comment = self._run(self._do.comment(table, text, at))
        return said

    def forget_comment(self, table: str, comment: str) -> None:
        """One of one's own."""
        self._run(self._do.forget_comment(table, comment))
