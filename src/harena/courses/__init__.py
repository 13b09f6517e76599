"""The courses: what their agents import, their commands, and how submissions are checked and graded."""

from harena.arena.runs.registry import KindEntry, register

register(
    KindEntry(
        name="isolation-tournament",
        home="harena.courses.isolation_tournament:IsolationTournament",
        title="isolation-tournament",
        is_followed=False,
    )
)
register(
    KindEntry(
        name="trap-game",
        home="harena.courses.trap_game:TrapGames",
        title="trap-game",
        elsewhere="its games are told move by move: call `harena trap-game` again",
        is_followed=False,
    )
)
register(
    KindEntry(
        name="grade",
        home="harena.courses.grading_run:Grading",
        title="grading",
        elsewhere="a grading goes on when `harena grade` is given the same words again",
        has_pseudonyms=True,
        copies_games=True,
        leaderboard_rank=2,
    )
)
register(
    KindEntry(
        name="appeal",
        title="appeal",
        elsewhere="an appeal goes on when `harena grade --again` is given the same words again",
        is_followed=False,
    )
)
