"""Operations on studies and comments."""

from ludarium_client.bodies import Comment, CommentPage, NewComment, NewStudy, Study, StudyPage
from ludarium_client.calls import Caller
from ludarium_client.effects import Steps
from ludarium_client.paths import path, path_of, query


class StudyOperations:
    """Builds the operations on studies; it does no I/O itself."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller

    def make(self, table: str, study: NewStudy) -> Steps[Study]:
        return self.caller.once(Study, "POST", path(table, "/studies"), study)

    def page(self, table: str | None, after: str | None) -> Steps[StudyPage]:
        where = "/studies" if table is None else path(table, "/studies")
        return self.caller.call(StudyPage, "GET", where + query(after=after))

    def get(self, study: str, version: int | None) -> Steps[Study]:
        return self.caller.call(Study, "GET", path_of("studies", study) + query(version=version))

    def change(self, study: Study, change: NewStudy) -> Steps[Study]:
        seen = {"if-match": f'"{study.version}"'}
        return self.caller.once(Study, "PUT", path_of("studies", study.id), change, **seen)

    def forget(self, study: str) -> Steps[None]:
        return self.caller.call(None, "DELETE", path_of("studies", study))

    def comments(self, table: str, after: str | None) -> Steps[CommentPage]:
        return self.caller.call(CommentPage, "GET", path(table, "/comments") + query(after=after))

    def comment(self, table: str, text: str, at: int | None) -> Steps[Comment]:
        return self.caller.once(Comment, "POST", path(table, "/comments"), NewComment(text=text, at=at))

    def forget_comment(self, table: str, comment: str) -> Steps[None]:
        return self.caller.call(None, "DELETE", path(table, f"/comments/{comment}"))
