"""Generated from `async_studies.py` by `make schema`: do not edit."""

from ludarium_client.bodies import Comment, CommentPage, NewStudy, Study, StudyPage
from ludarium_client.primitives import Run
from ludarium_client.study_operations import StudyOperations


class Studies:
    """Studies of games, and comments on finished games."""

    def __init__(self, run: Run, do: StudyOperations) -> None:
        self._run, self._do = run, do

    def make(self, table: str, study: NewStudy) -> Study:
        """Create a study of a game. A shared study needs a finished game."""
        made: Study = self._run(self._do.make(table, study))
        return made

    def page(self, table: str | None = None, after: str | None = None) -> StudyPage:
        """List your studies of all tables or of one table, the newest first."""
        told: StudyPage = self._run(self._do.page(table, after))
        return told

    def get(self, study: str, version: int | None = None) -> Study:
        """Return one of your studies, or a shared one."""
        told: Study = self._run(self._do.get(study, version))
        return told

    def change(self, study: Study, change: NewStudy) -> Study:
        """Save a new version of your study.

        Args:
            study: the version that you changed.
            change: the new content.

        Raises:
            Problem: `study-changed`, if there is a newer version than `study`.
        """
        told: Study = self._run(self._do.change(study, change))
        return told

    def forget(self, study: str) -> None:
        """Delete your study with all its versions. This cannot be undone."""
        self._run(self._do.forget(study))

    def comments(self, table: str, after: str | None = None) -> CommentPage:
        """List the comments on a finished game, the oldest first."""
        told: CommentPage = self._run(self._do.comments(table, after))
        return told

    def comment(self, table: str, text: str, at: int | None = None) -> Comment:
        """Comment on a finished game, or on its event `at`."""
        said: Comment = self._run(self._do.comment(table, text, at))
        return said

    def forget_comment(self, table: str, comment: str) -> None:
        """Delete one of your comments."""
        self._run(self._do.forget_comment(table, comment))
