"""Every operation of the API, and what its handlers may ask for."""

from typing import Any

from litestar import Router
from litestar.datastructures import State
from litestar.di import Provide
from litestar.types import ControllerRouterHandler

from ludarium.api import (
    accounts,
    admin,
    analyses,
    apps,
    bulk_tables,
    chat,
    commands,
    endings,
    evidence,
    guests,
    health,
    imports,
    joining,
    lists,
    mail,
    matching,
    my_bots,
    oauth,
    passkeys,
    pictures,
    rating_acts,
    ratings,
    records,
    replays,
    reports,
    rests,
    rights,
    root,
    rulesets,
    statements,
    stories,
    streams,
    studies,
    tables,
    ties,
    tokens,
    tournament_entries,
    tournament_files,
    tournament_invitations,
    tournament_officials,
    tournament_pages,
    tournament_remedies,
    tournament_rounds,
    tournament_times,
    tournaments,
)
from ludarium.api.auth import provide_access, provide_player, provide_visitor
from ludarium.api.state import Parts
from ludarium.api.visits import provide_visit

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
            ties.list_follows, ties.follow, ties.unfollow, ties.list_blocks, ties.block, ties.unblock, reports.report,
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
            tournaments.create_tournament, tournaments.list_tournaments, tournament_pages.tournament,
            tournaments.change_tournament, tournaments.open_tournament, tournaments.close_tournament,
            tournaments.cancel_tournament, tournament_officials.give_role, tournament_officials.accept_role,
            tournament_officials.decline_role,
            tournament_entries.list_entries, tournament_entries.enter, tournament_entries.leave_tournament,
            tournament_entries.sit_out, tournament_entries.return_entry, tournament_entries.rest_entry,
            tournament_entries.check_in, tournament_entries.own_tournament, tournament_entries.import_entries,
            tournament_entries.seed_entry, tournament_entries.remove_entry, tournament_entries.mend_name,
            tournament_invitations.own_tournament_invitations, tournament_invitations.list_tournament_invitations,
            tournament_invitations.withdraw_tournament_invitation, tournament_invitations.change_listed_name,
            tournament_rounds.draft_round, tournament_rounds.tournament_round, tournament_rounds.change_round,
            tournament_rounds.publish_round, tournament_rounds.recut_round, tournament_rounds.close_round,
            tournament_rounds.rule_on_table, tournament_rounds.dispute_table,
            tournament_remedies.give_nonce, tournament_remedies.blocked_pairs,
            tournament_remedies.shared_addresses, tournament_remedies.forbid_pairs,
            tournament_remedies.look_at_hands, tournament_remedies.take_draft_back, tournament_remedies.penalize,
            tournament_remedies.replay_board, tournament_remedies.replace_entry,
            tournament_times.pause_tournament, tournament_times.resume_tournament, tournament_times.set_autopilot,
            tournament_times.set_delay, tournament_times.pause_board, tournament_times.resume_board, tournament_times.add_time,
            tournament_times.feature_board,
            tournament_pages.standings, tournament_pages.why, tournament_pages.crosstable, tournament_pages.bracket,
            tournament_pages.tournament_stream, tournament_pages.tournament_sheet,
            tournament_files.tournament_picture, tournament_files.tournament_report, tournament_files.tournament_records,
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
    **{name: part(name) for name in Parts.__struct_fields__},
    "access": Provide(provide_access),
    "player": Provide(provide_player),
    "visitor": Provide(provide_visitor),
    "visit": Provide(provide_visit),
}
