"""Every operation of the API, and the dependencies of its handlers."""

from typing import Any

from litestar import Router
from litestar.datastructures import State
from litestar.di import Provide
from litestar.types import ControllerRouterHandler

from ludarium.accounts.routes import accounts, apps, guests, mail, my_bots, oauth, passkeys, relations, tokens
from ludarium.api import health, root, rulesets
from ludarium.api.ruleset_art import get_ruleset_art
from ludarium.api.state import AppState
from ludarium.http.auth import provide_access, provide_player, provide_visitor
from ludarium.http.visits import provide_visit
from ludarium.live.routes import streams
from ludarium.moderation.routes import admin, reports
from ludarium.moderation.routes import ratings as rating_acts
from ludarium.notices.routes import notices
from ludarium.privacy.routes import rights
from ludarium.projections.routes import lists, ratings, replays
from ludarium.records.routes import evidence, imports, records, statements
from ludarium.sharing.routes import analyses, pictures, studies
from ludarium.tables.routes import bulk_tables, chat, commands, endings, joining, matching, rests, stories, tables, views
from ludarium.tournaments.routes import corrections, entries, files, invitations, officials, pages, rounds, times, tournaments

PREFIX = "/api/v1"
ROUTES: list[ControllerRouterHandler] = [
    health.get_health,
    health.get_readiness,
    oauth.get_oauth_metadata,
    statements.list_signing_keys,
    Router(
        PREFIX,
        route_handlers=[
            root.get_root, guests.create_guest, guests.redeem_rejoin_code, guests.get_me,
            rights.export_me, rights.delete_me, rights.change_me, rights.get_player, rights.list_players,
            rights.list_player_games,
            relations.list_follows, relations.follow_player, relations.unfollow_player,
            relations.list_blocks, relations.block_player, relations.unblock_player, reports.create_report,
            rests.get_own_rest, rests.set_own_rest,
            accounts.open_account, accounts.sign_in_with_password, accounts.change_password, accounts.renew_recovery_code,
            accounts.change_name,
            passkeys.prepare_passkey, passkeys.add_passkey, passkeys.list_passkeys, passkeys.remove_passkey,
            passkeys.prepare_passkey_sign_in, passkeys.sign_in_with_passkey,
            mail.set_mail, mail.remove_mail, mail.verify_mail, mail.request_password_reset, mail.reset_password,
            tokens.list_tokens, tokens.list_sign_ins, tokens.create_token, tokens.revoke_token, tokens.end_session,
            apps.register_app, apps.list_apps, apps.delete_app, apps.get_asking_app, apps.answer_app, apps.get_device_app,
            apps.answer_device, apps.list_approvals, apps.withdraw_approval,
            oauth.request_device_code, oauth.issue_tokens, oauth.revoke_app_tokens,
            my_bots.create_bot, my_bots.list_bots, my_bots.renew_bot_token, my_bots.close_bot,
            notices.list_notices, notices.mark_notices_read, notices.get_notice_preferences, notices.set_notice_preferences,
            admin.find_players, admin.list_player_tables, admin.act_on_player, admin.inspect_table, admin.act_on_table,
            admin.list_reports, admin.close_report, admin.hide_writing, admin.withdraw_listed_name, admin.list_acts,
            admin.get_draining, admin.set_draining,
            rating_acts.list_rated_pairs, rating_acts.void_ratings, rating_acts.sanction_tournament,
            rulesets.list_rulesets, rulesets.get_ruleset, rulesets.get_ruleset_texts, rulesets.get_ruleset_schema,
            rulesets.get_ruleset_picture,
            get_ruleset_art,
            tables.create_table, bulk_tables.create_tables,
            tables.get_table, tables.take_seat, tables.leave_seat, tables.start_game, commands.post_command,
            views.get_view, views.list_events, tables.undo_command, tables.set_preference, tables.create_rematch,
            tables.create_branch,
            evidence.get_record, evidence.get_proof,
            analyses.analyse_position,
            stories.get_story, pictures.get_picture_svg, pictures.get_picture_png,
            joining.change_policies, joining.set_ready, joining.hand_over_table, joining.take_over_guest_seat,
            joining.cancel_table,
            joining.replace_player, joining.invite_player, joining.withdraw_invitation, joining.list_invitations,
            joining.create_link, joining.revoke_link,
            joining.accept_invitation, joining.list_own_invitations, matching.join_queue, matching.get_ticket,
            matching.leave_queue,
            endings.resign_game, endings.create_proposal, endings.answer_proposal, endings.return_to_game,
            endings.claim_timeout, endings.adjudicate_table,
            endings.give_time,
            chat.list_phrases, chat.list_messages, chat.mark_messages_read, chat.send_message, chat.delete_message,
            tournaments.create_tournament, tournaments.list_tournaments, pages.get_tournament,
            tournaments.change_tournament, tournaments.open_tournament, tournaments.close_tournament,
            tournaments.cancel_tournament, officials.give_role, officials.accept_role,
            officials.decline_role,
            entries.list_entries, entries.enter_tournament, entries.leave_tournament,
            entries.sit_out_round, entries.return_entry, entries.rest_entry,
            entries.check_in_to_tournament, entries.get_own_place, entries.import_entries,
            entries.seed_entry, entries.remove_entry, entries.rename_entry,
            invitations.list_own_tournament_invitations, invitations.list_tournament_invitations,
            invitations.withdraw_tournament_invitation, invitations.change_listed_name,
            rounds.draft_round, rounds.get_round, rounds.change_round,
            rounds.publish_round, rounds.recut_round, rounds.close_round,
            rounds.rule_on_table, rounds.dispute_table,
            corrections.give_nonce, corrections.list_blocked_pairs,
            corrections.list_shared_addresses, corrections.forbid_pairs,
            corrections.look_at_hands, corrections.undo_draft_change, corrections.penalize_entry,
            corrections.replay_board, corrections.replace_entry,
            times.pause_tournament, times.resume_tournament, times.set_autopilot,
            times.set_delay, times.pause_board, times.resume_board, times.add_board_time,
            times.feature_board,
            pages.get_standings, pages.explain_standing, pages.get_crosstable, pages.get_bracket,
            pages.list_tournament_rows, pages.get_tournament_sheet,
            files.get_tournament_picture, files.get_tournament_report, files.download_tournament_records,
            streams.stream_table, streams.stream_me, streams.stream_lobby, streams.stream_tournament,
            lists.list_tables, lists.list_own_tables, lists.list_positions, lists.list_frames, replays.get_replay,
            lists.get_statistics,
            statements.get_statement, statements.list_cuts, statements.list_heads, statements.get_hour_proof,
            records.search_records, records.download_records, records.get_card_statistics, ratings.get_leaderboard,
            ratings.get_player_ratings,
            imports.import_record, imports.list_imports, imports.get_import, imports.delete_import, imports.get_imported_record,
            imports.list_imported_events, imports.get_imported_view, imports.list_imported_frames, imports.get_imported_replay,
            studies.create_study, studies.list_table_studies, studies.list_studies, studies.get_study, studies.change_study,
            studies.delete_study, studies.list_comments, studies.create_comment, studies.delete_comment,
        ],
    ),
]


def part(name: str) -> Provide:
    """Return the provider of a service, for handlers with a parameter of its name."""

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
