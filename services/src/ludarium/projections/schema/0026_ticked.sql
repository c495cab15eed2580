-- The moment up to which the clocks of the table are told. A deadline is put off by outages after it; null: by none.
alter table turns.parts add column ticked timestamptz;
