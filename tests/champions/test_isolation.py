"""Isolation's champion: its evaluation against a plain one, its searches and its data against the solver."""

import numpy as np
import pytest

import harena
from harena.champions.isolation import JUDGEMENT, champion
from harena.champions.isolation_evaluation import FEATURES, features_of, worth
from harena.champions.isolation_openings import cell_of, cells, is_hunter, opening, solved
from harena.champions.isolation_proof import new_notes, proof_of, winning_move
from harena.champions.isolation_search import Knights
from harena.champions.isolation_sparring import PARTNERS
from harena.champions.isolation_traps import count_ahead, traps
from harena.errors import BadOption
from harena.heuristics.names import heuristic
from harena.heuristics.separated import Separated
from harena.search.deepening import Deepening
from harena.search.minimax import Minimax
from harena.search.result import Limits, Turn
from harena.search.solver import Solver
from harena.search.workspace import WIN, new_workspace

SOLVER = Solver(shortcut=Separated(), megabytes=8.0)
JUMPS = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))


def value_of(state):
    return SOLVER.run(state, Limits(nodes=20_000_000)).value


def random_states(size, plies, number, seed=1):
    rng = np.random.default_rng(seed)
    game = harena.game("isolation", size=size, setup="random-placements")
    states = []
    while len(states) < number:
        state = game.initial(int(rng.integers(2**31)))
        for _ in range(plies):
            if not state.is_over:
                state = state.play(rng.choice(state.moves()))
        if not state.is_over:
            states.append(state)
    return states


def plain_distances(state, begin):
    """Rounds until a knight gets to each blank cell, jump by jump."""
    value, found, front = state.value, {}, {begin}
    for number in range(1, 65):
        front = {
            8 * row + column
            for cell in front
            for row, column in ((cell // 8 + down, cell % 8 + right) for down, right in JUMPS)
            if 0 <= row < value.rows
            and 0 <= column < value.columns
            and not int(value.blocked) >> (8 * row + column) & 1
            and 8 * row + column not in found
        }
        found |= dict.fromkeys(front, number)
    return found


class TestEvaluation:
    def test_who_gets_first_to_how_many_cells_is_what_distances_say_when_nobody_is_in_the_way(self):
        for state in random_states("7x7", 10, 20):
            _, counted = features_of(state.value)
            mine = plain_distances(state, state.value.mine)
            theirs = plain_distances(state, state.value.theirs)
            assert counted[1] == sum(1 for rounds in mine.values() if rounds == 1)
            assert counted[2] == sum(1 for rounds in theirs.values() if rounds == 1)
            reached = set(mine) | set(theirs)
            assert counted[5] + counted[6] == len(reached)
            assert counted[5] >= counted[1]

    def test_turning_the_board_changes_nothing(self):
        for state in random_states("7x7", 8, 10, seed=2):
            value = state.value
            turn = {8 * row + column: 8 * column + 6 - row for row in range(7) for column in range(7)}
            blank = sum(1 << turn[cell] for cell in cells(7, 7) if not int(value.blocked) >> cell & 1)
            turned = value._replace(
                blocked=np.uint64(2**64 - 1 - blank), mine=turn[value.mine], theirs=turn[value.theirs]
            )
            row, counted = features_of(value)
            assert (row, counted.tolist()) == (features_of(turned)[0], features_of(turned)[1].tolist())

    def test_the_compiled_sum_is_weights_times_features(self):
        for state in random_states("7x7", 6, 10, seed=3):
            row, counted = features_of(state.value)
            weights = JUDGEMENT.weights[FEATURES * row : FEATURES * (row + 1)]
            assert worth(JUDGEMENT, state.value) == pytest.approx(float(weights @ counted))

    def test_before_both_knights_are_on_the_board_nothing_is_known(self):
        game = harena.game("isolation", size="8x8")
        for state in (game.initial(), *(game.initial().play(cell) for cell in ("a1", "d4", "h8"))):
            assert worth(JUDGEMENT, state.value) == 0.0
        found = Deepening(algorithm=Knights(), heuristic=JUDGEMENT, full=True).run(
            game.initial().value, Limits(depth=1)
        )
        assert len(found.root) == 64
        assert {one.value for one in found.root} == {0.0}
        assert found.stopped == "depth"

    def test_hunters_are_worth_more(self):
        same = opening(7, 7, 0, 18)  # both on even cells: the player to move hunts
        other = opening(7, 7, 0, 19)
        assert worth(JUDGEMENT, same) > 0 > worth(JUDGEMENT, other)


class TestSearches:
    @pytest.mark.parametrize(("size", "plies"), [("5x5", 6), ("4x6", 4), ("6x6", 16)])
    def test_proofs_agree_with_the_solver(self, size, plies):
        for state in random_states(size, plies, 12):
            notes, work = new_notes(4.0), new_workspace(1)
            verdict = proof_of(state.value, notes, work)
            assert verdict == value_of(state.value)
            move = winning_move(state.value, notes)
            assert (move >= 0) == (verdict == 1)
            if move >= 0:
                after = state.play(move)
                assert after.is_over or value_of(after.value) == -1

    @pytest.mark.parametrize(("size", "plies"), [("5x5", 6), ("6x6", 16)])
    def test_alpha_beta_to_the_end_agrees_with_the_solver(self, size, plies):
        search = Deepening(algorithm=Knights(), heuristic=JUDGEMENT)
        for state in random_states(size, plies, 12, seed=4):
            found = search.run(state.value, Limits(nodes=5_000_000))
            assert found.value == WIN * value_of(state.value)

    def test_a_proof_that_has_to_stop_says_nothing(self):
        assert proof_of(opening(7, 7, 0, 1), new_notes(1.0), new_workspace(1, nodes=100)) == 0


class TestTraps:
    def test_the_imagined_player_is_minimax_that_counts_moves(self):
        minimax = Deepening(algorithm=Minimax(), heuristic=heuristic("isolation", "improved"), fixed=True)
        for state in random_states("6x6", 5, 8, seed=7):
            value = minimax.run(state.value, Limits(depth=3)).value
            ahead = count_ahead(
                ~state.value.blocked, state.value.mine, state.value.theirs, 3, -2000, 2000, new_workspace(1)
            )
            assert ahead == (value if abs(value) < WIN else value / WIN * 1000)

    def test_a_trap_is_a_move_after_which_somebody_loses_who_had_won(self):
        found = 0
        for state in random_states("6x6", 6, 30, seed=8):
            if value_of(state.value) > 0:
                continue
            root = np.array(list(map(int, state.moves())))
            good = traps(state.value, root, new_notes(4.0), new_workspace(1, nodes=100_000), most=0)
            for move in root[good > 0]:
                replies = [state.play(move).play(reply) for reply in state.play(move).moves()]
                assert any(not after.is_over and value_of(after.value) > 0 for after in replies)
                found += 1
        assert found

    def test_hunters_are_told_by_colour(self):
        assert is_hunter(opening(7, 7, 0, 18))
        assert not is_hunter(opening(7, 7, 0, 19))


class TestChampion:
    def test_the_second_placement_wins_on_5x5_and_so_does_the_game(self):
        game = harena.game("isolation", size="5x5")
        for seed in range(4):
            players = [harena.player("random", game), harena.player("champion(nodes=3000)", game)]
            state = game.initial()
            while not state.is_over:
                state = state.play(players[state.mover].choose(state, seed=seed))
            assert state.mover == 0

    def test_what_is_solved_is_said_to_be_lost_too(self):
        search, openings = champion("isolation"), solved(6, 6)
        assert search.run(harena.game("isolation", size="6x6").initial().value, Limits(nodes=500)).proven == -1
        for pair, value in {"a1 b1": -1, "a1 c3": 1, "a1 c2": -1, "a1 f6": -1}.items():
            first, second = map(cell_of, pair.split())
            assert openings.value(first, second) == value
            assert search.run(opening(6, 6, first, second), Limits(nodes=500)).proven == value

    def test_it_never_gives_a_won_position_away_where_proofs_reach(self):
        search, cases = champion("isolation"), 0
        for state in random_states("6x6", 8, 10, seed=5):
            if value_of(state.value) > 0:
                found = search.run(state.value, Limits(nodes=400_000))
                after = state.play(found.move)
                assert found.proven == 1 or len(state.moves()) == 1
                assert after.is_over or value_of(after.value) == -1
                cases += 1
        assert cases > 2

    def test_the_value_is_that_of_the_move_and_of_a_lost_position_all_moves_are_lost(self):
        search, lost = champion("isolation"), 0
        for state in random_states("6x6", 5, 40, seed=9):
            found = search.run(state.value, Limits(nodes=20_000))
            assert (found.move, found.value) == (found.root[0].move, found.root[0].value)
            if found.proven == -1:
                lost += 1
                assert {one.proven for one in found.root} == {-1}
                assert {one.move for one in found.root} == set(map(int, state.moves()))
                assert value_of(state.value) == -1
        assert lost > 5

    def test_a_forced_move_after_a_proven_win_is_proven_too(self):
        cases = 0
        for state in random_states("6x6", 12, 60, seed=11):
            search = champion("isolation")
            found = search.run(state.value, Limits(nodes=50_000))
            if found.proven != 1 or (after := state.play(found.move)).is_over:
                continue
            for reply in after.moves():
                forced = after.play(reply)
                if len(forced.moves()) == 1:
                    answer = search.run(forced.value, Limits(nodes=50_000), Turn(path=(found.move, int(reply))))
                    assert (answer.proven, answer.value) == (1, WIN)
                    cases += 1
                    break
        assert cases

    def test_a_trap_is_set_where_the_position_is_lost(self):
        search, plain = champion("isolation"), champion("isolation").search
        changed = 0
        for state in random_states("6x6", 5, 40, seed=9):
            found = search.run(state.value, Limits(nodes=20_000))
            if found.proven == -1 and len(found.root) > 1:
                changed += found.move != plain.run(state.value, Limits(nodes=8000)).move
        assert changed

    def test_budgets_of_nodes_are_kept(self):
        start = random_states("7x7", 3, 1, seed=6)[0]
        assert champion("isolation").run(start.value, Limits(nodes=5000)).nodes <= 5010

    @pytest.mark.parametrize("memory", [1, 3, 32])
    def test_memory_is_what_both_tables_take_together(self, memory):
        state, search = random_states("8x8", 2, 1)[0].value, champion("isolation", memory=memory)
        stop = np.ones(1, np.int64)
        for nodes, path in ((4000, None), (100_000_000, ())):  # at last more than fits into any table
            search.run(state, Limits(nodes=nodes), Turn(path=path, flag=stop))
            taken = search.kept.notes.words.nbytes + search.search.kept.table.keys.nbytes
            assert taken <= memory * 2**20
        assert taken > memory * 2**20 / 2
        weaker = champion("isolation", memory=memory, level=9)
        weaker.run(state, Limits(nodes=100_000_000), Turn(flag=stop))
        assert weaker.kept.table.keys.nbytes <= memory * 2**20

    @pytest.mark.parametrize("text", ["champion(level=1)", "champion(level=9)", "champion(threads=2)"])
    def test_options_are_read(self, text):
        state = random_states("7x7", 3, 1, seed=6)[0]
        assert harena.player(text, state.game).choose(state, Limits(nodes=300)) in state.moves()

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"level": 0}, "level is 1 to 10, not 0"),
            ({"level": 11}, "level is 1 to 10, not 11"),
            ({"threads": 3}, "threads is 1 or 2, not 3"),
            ({"threads": 2, "level": 9}, "a second thread is for level 10: leave threads or level out"),
            ({"memory": 0.0}, "memory is 1 to 1000 (megabytes), not 0"),
        ],
    )
    def test_bad_options_say_one_plain_line(self, options, message):
        with pytest.raises(BadOption) as caught:
            champion("isolation", **options)
        assert str(caught.value) == message


@pytest.mark.parametrize("name", PARTNERS)
def test_partners_play_whole_legal_games(name):
    who, about = PARTNERS[name]
    assert about
    game = harena.game("isolation", size="5x6")
    search = harena.player(who, game).search if isinstance(who, str) else who("isolation")
    state = game.initial()
    while not state.is_over:
        limits = Limits(seconds=0.002, nodes=300, iterations=50)
        state = state.play(search.run(state.value, limits).move)
