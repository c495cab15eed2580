"""SQL that selects the notices of players, except those about tournaments.

Parameters: $1 and $2 are the players, as text and as UUIDs; $3 and $4 are pairs of a player and another one who has
blocked them or whom they have blocked; $5 are the acts of moderators that players may read.
"""
from ludarium.projections.turns import DEADLINE

MAX_RULINGS = 50
"""Number of rulings about a player in the list, the newest ones."""
ENDED_FOR = "7 days"
"""How long an ended game is in the list."""
PLAYERS = "with me as (select * from unnest($1::text[], $2::uuid[]) as me(player, id))"
BARRED = "select from unnest($3::text[], $4::text[]) as b(player, other) where"
SEATED = "p.body -> 'seats' -> p.part ->> 'player'"
"""The player in the seat of a part `p`, which may be only reserved for its player."""
AT_TABLES = f"""
    select w.player, w.kind, w.id as "table", w.seat, w.seq, w.at, w.by, w.detail as question, w.ruleset,
           case when w.kind = 'your_turn' then {DEADLINE} end as until, null as verdict, null as reason, null::int as count,
           null::uuid as inviter, null::uuid as tournament, w.seq::text as mark
    from me join turns.waiting w on w.player = me.player left join turns.parts p on p.id = w.id and p.part = w.seat
    where not exists ({BARRED} (b.player, b.other) = (w.player, w.by))
      and (w.kind <> 'ended' or w.at > now() - interval '{ENDED_FOR}')
      and not (w.kind = 'reserved'
               and exists (select from entry.guests g where g.table_id = w.id and g.player = w.player))"""
"""Selects what waits at tables, except what blocked players caused."""
INVITATIONS = f"""
    select g.player, host.kind, g.table_id, g.seat::int, null, g.invited_at, host.player, null, host.ruleset, a.until, null,
           null, null, a.host_id, null, g.invited_at::text
    from me join entry.guests g on g.player = me.player
    join lateral (select body ->> 'ruleset' as ruleset, body ->> 'creator' as player,
                         case p.status when 'open' then 'invited' else 'substitute' end as kind from turns.parts p
                  where p.id = g.table_id and (p.status = 'open' or p.status = 'playing' and exists (
                    select from turns.waiting w where w.id = g.table_id and w.kind = 'substitute')) limit 1) host on true
    left join accounts.asked a on a.object = g.table_id and a.player_id = me.id
    where g.revoked_at is null and g.link is null and coalesce(a.until >= now(), true)
      and not exists (select from turns.parts p where p.id = g.table_id and p.player = g.player and p.part >= 0
                      and {SEATED} = g.player)
      and not exists (select from unnest($3::text[], $4::text[]) as b(player, other)
                      join turns.parts p on p.id = g.table_id and p.player = b.other where b.player = g.player)"""
"""Selects invitations by name to tables with a free or vacant seat.

Tables at which the player sits or a barred player has a part are left out.
"""
TOURNAMENTS = """
    select me.player, 'invited', null, null, null, a.at, null, null, null, a.until, null, null, null, a.host_id, a.object, ''
    from me join accounts.asked a on a.player_id = me.id and a.kind = 'tournament' and a.until >= now()"""
"""Selects invitations to tournaments. A block deletes those of the other player."""
RULINGS = f"""
    select me.player, 'ruling', null, null, null, a.at, null, null, null, a.until, a.kind, a.reason, null, null,
           case a.kind when 'unlist' then a.table_id end, a.id::text
    from me join lateral (select * from accounts.acts where player_id = me.id and kind = any($5)
                          order by at desc limit {MAX_RULINGS}) a on true"""
"""Selects the acts of moderators that players may read."""
CHATS = f"""
    select p.player, 'chat', p.id, p.part, null, m.at, m.by, null, p.body ->> 'ruleset', null, null, null, m.count, null,
           null, m.first::text
    from me join turns.parts p on p.player = me.player
    join chat.rooms r on r.table_id = p.id and r.room = 'seats'
    left join chat.reads d on d.player = p.player and d.table_id = p.id and d.room = r.room
    join lateral (
      select min(c.at) as at, min(c.number) as first, count(*)::int as count,
             (array_agg(c.player order by c.number desc))[1] as by
      from chat.messages c
      where c.table_id = p.id and c.room = r.room and c.number > coalesce(d.number, 0) and c.player <> p.player
        and c.gone is null and not exists ({BARRED} (b.player, b.other) = (p.player, c.player))
    ) m on m.count > 0
    where (p.status <> 'over' or p.listed_at > now() - interval '30 days') and r.last > coalesce(d.number, 0)
      and (p.part < 0 or {SEATED} = p.player)"""
"""Selects messages in the seats' rooms of the players' tables that they have not read, one row for each table."""
SELECT = f"{PLAYERS} {AT_TABLES} union all {INVITATIONS} union all {TOURNAMENTS} union all {RULINGS} union all {CHATS}"
