"""Every operation of the API, and what its handlers may ask for."""

from typing import Any

from litestar import Router
from litestar.datastructures import State
from litestar.di import Provide
from litestar.types import ControllerRouterHandler

from ludarium.accounts.routes import accounts, apps, guests, mail, my_bots, oauth, passkeys, relations, tokens
from ludarium.api import health, root, rulesets
from ludarium.api.state import AppState
from ludarium.http.auth import provide_access, provide_player, provide_visitor
from ludarium.http.visits import provide_visit
from ludarium.live.routes import streams
from ludarium.moderation.routes import admin, reports
from ludarium.moderation.routes import ratings as rating_acts
from ludarium.privacy.routes import rights
from ludarium.projections.routes import lists, ratings, replays
from ludarium.records.routes import evidence, imports, records, statements
from ludarium.sharing.routes import analyses, pictures, studies
from ludarium.tables.routes import bulk_tables, chat, commands, endings, joining, matching, rests, stories, tables
from ludarium.tournaments.routes import corrections, entries, files, invitations, officials, pages, rounds, times, tournaments

PREFIX = "/api/v1"
ROUTES: list[ControllerRouterHandler] = [
    health.healthz,
    health.readyz,
    oauth.oauth_metadata,
    statements.signing_keys,
    Router(
        PREFIX,
        route_handlers=[
            root.root, guests.new_guest, guests.rejoin, guests.me,
            rights.export_me, rights.delete_me, rights.change_me, rights.player_of, rights.games_of,
            relations.list_follows, relations.follow, relations.unfollow,
            relations.list_blocks, relations.block, relations.unblock, reports.report,
            rests.own_rest, rests.put_rest,
            accounts.open_account, accounts.sign_in, accounts.change_password, accounts.renew_recovery_code, accounts.rename,
            passkeys.passkey_options, passkeys.add_passkey, passkeys.list_passkeys, passkeys.remove_passkey,
            passkeys.sign_in_options, passkeys.sign_in_with_passkey,
            mail.set_mail, mail.remove_mail, mail.verify_mail, mail.ask_reset, mail.reset_password,
            tokens.list_tokens, tokens.list_sign_ins, tokens.make_token, tokens.revoke_token, tokens.sign_out,
            apps.register_app, apps.list_apps, apps.delete_app, apps.asking_app, apps.consent, apps.look_device,
            apps.answer_device, apps.list_approvals, apps.withdraw_approval,
            oauth.begin_device, oauth.give_tokens, oauth.revoke_tokens,
            my_bots.make_bot, my_bots.list_bots, my_bots.renew_bot, my_bots.close_bot, admin.list_notices,
            admin.find_players, admin.tables_of_player, admin.act_on_player, admin.find_table, admin.act_on_table,
            admin.list_reports, admin.close_report, admin.hide_writing, admin.withdraw_listed_name, admin.list_acts,
            admin.is_draining, admin.drain,
            rating_acts.list_rated_pairs, rating_acts.void_ratings, rating_acts.sanction_tournament,
            rulesets.rulesets, rulesets.ruleset, rulesets.ruleset_texts, rulesets.ruleset_schema, rulesets.ruleset_picture,
            tables.create_table, bulk_tables.create_tables,
            tables.table, tables.sit, tables.leave, tables.start, commands.post_command,
            tables.view, tables.events, tables.undo, tables.prefer, tables.rematch, tables.branch,
            evidence.record, evidence.proof,
            analyses.analyse,
            stories.story, pictures.picture_svg, pictures.picture_png,
            joining.change_policies, joining.ready, joining.hand_over, joining.take_over, joining.cancel,
            joining.replace, joining.invite, joining.uninvite, joining.list_invitations, joining.new_link, joining.revoke_link,
            joining.accept, joining.own_invitations, matching.seek, matching.look, matching.withdraw,
            endings.resign, endings.propose, endings.answer, endings.come_back, endings.claim, endings.adjudicate,
            endings.give_time,
            chat.phrases, chat.read_chat, chat.say, chat.take_back,
            tournaments.create_tournament, tournaments.list_tournaments, pages.tournament,
            tournaments.change_tournament, tournaments.open_tournament, tournaments.close_tournament,
            tournaments.cancel_tournament, officials.give_role, officials.accept_role,
            officials.decline_role,
            entries.list_entries, entries.enter, entries.leave_tournament,
            entries.sit_out, entries.return_entry, entries.rest_entry,
            entries.check_in, entries.own_tournament, entries.import_entries,
            entries.seed_entry, entries.remove_entry, entries.mend_name,
            invitations.own_tournament_invitations, invitations.list_tournament_invitations,
            invitations.withdraw_tournament_invitation, invitations.change_listed_name,
            rounds.draft_round, rounds.tournament_round, rounds.change_round,
            rounds.publish_round, rounds.recut_round, rounds.close_round,
            rounds.rule_on_table, rounds.dispute_table,
            corrections.give_nonce, corrections.blocked_pairs,
            corrections.shared_addresses, corrections.forbid_pairs,
            corrections.look_at_hands, corrections.take_draft_back, corrections.penalize,
            corrections.replay_board, corrections.replace_entry,
            times.pause_tournament, times.resume_tournament, times.set_autopilot,
            times.set_delay, times.pause_board, times.resume_board, times.add_time,
            times.feature_board,
            pages.standings, pages.why, pages.crosstable, pages.bracket,
            pages.tournament_stream, pages.tournament_sheet,
            files.tournament_picture, files.tournament_report, files.tournament_records,
            streams.stream_table, streams.stream_me, streams.stream_lobby, streams.stream_tournament,
            lists.list_tables, lists.own_tables, lists.positions, lists.frames, replays.replay, lists.statistics,
            statements.statement, statements.cuts, statements.heads, statements.hour_proof,
            records.records, records.bulk_records, records.card_statistics, ratings.leaderboard, ratings.ratings_of,
            imports.bring_record, imports.list_imports, imports.imported, imports.forget_import, imports.imported_record,
            imports.imported_events, imports.imported_view, imports.imported_frames, imports.imported_replay,
            studies.make_study, studies.studies_of_table, studies.list_studies, studies.read_study, studies.change_study,
            studies.forget_study, studies.read_comments, studies.comment, studies.forget_comment,
        ],
    ),
]


def part(name: str) -> Provide:
    """The service of this name, for the handlers that have a parameter called so."""

    async def provide(state: State) -> Any:
        return getattr(state.parts, name)

    return Provide(provide)


DEPENDENCIES = {
    **{name: part(name) for name in AppState.__struct_fields__},
    "access": Provide(provide_access),
    "player": Provide(provide_player),
    "visitor": Provide(provide_visitor),
    "visit": Provide(provide_visit),
}
