-- The tables of a project, version 1: see database.py.
CREATE TABLE weights (
    name TEXT PRIMARY KEY,
    created TEXT NOT NULL,
    report TEXT NOT NULL            -- Taught.to_dict() as JSON
) STRICT;
CREATE TABLE project (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    created TEXT NOT NULL,
    accepted TEXT REFERENCES weights (name)
) STRICT;
CREATE TABLE pages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash TEXT NOT NULL UNIQUE,      -- SHA-256 of the source
    name TEXT NOT NULL,
    url TEXT,
    site TEXT,                      -- if it is known otherwise than by the address
    title TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'skipped')),
    version INTEGER NOT NULL DEFAULT 0,
    added TEXT NOT NULL,
    changed TEXT,                   -- when labels or state were changed last, and by whom
    by TEXT,
    blocks INTEGER NOT NULL,
    close INTEGER NOT NULL,         -- decisions near the cut
    replaces INTEGER REFERENCES pages (id),
    carried INTEGER NOT NULL DEFAULT 0,
    lost INTEGER NOT NULL DEFAULT 0,
    claimed_by TEXT,
    claimed_until REAL
) STRICT;
CREATE INDEX pages_of_address ON pages (url);
CREATE INDEX pages_that_replace ON pages (replaces);
CREATE TABLE sources (
    page INTEGER PRIMARY KEY REFERENCES pages (id),
    offsets BLOB NOT NULL,          -- start and end of each block in it, int64, packed
    prints BLOB NOT NULL,           -- 8 bytes of the hash of each block's text
    vector BLOB NOT NULL,           -- what is alike on pages alike, float32
    tamis TEXT NOT NULL,            -- the version that read the page
    source BLOB NOT NULL            -- UTF-8, packed with zlib; last, since it is read least
) STRICT;
CREATE TABLE labels (
    page INTEGER NOT NULL REFERENCES pages (id),
    block INTEGER NOT NULL,
    kind TEXT,                      -- NULL: taken back
    by TEXT NOT NULL,
    version INTEGER NOT NULL,       -- of the page, after the change
    chosen INTEGER NOT NULL,        -- 0: the proposal, accepted with the page
    PRIMARY KEY (page, block)
) STRICT, WITHOUT ROWID;
CREATE TABLE history (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    page INTEGER NOT NULL REFERENCES pages (id),
    version INTEGER NOT NULL,
    at TEXT NOT NULL,
    by TEXT NOT NULL,
    state TEXT NOT NULL,
    chosen INTEGER NOT NULL,        -- 0: the proposal, accepted with the page
    changes TEXT NOT NULL           -- block to kind, as JSON
) STRICT;
CREATE TABLE teaching (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    state TEXT NOT NULL,
    share REAL NOT NULL,
    text TEXT NOT NULL,
    weights TEXT,                   -- the name of what was taught
    error TEXT,
    beat REAL NOT NULL,             -- when the process was last alive
    run TEXT NOT NULL               -- which process
) STRICT;
