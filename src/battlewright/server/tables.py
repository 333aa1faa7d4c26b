"""The tables of the database. What a battle rests on is its header and its answers; everything else is about people."""

from __future__ import annotations

import sqlalchemy as sa

__all__ = ["ANSWERS", "BATTLES", "LISTS", "METADATA", "SEATS"]

METADATA = sa.MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

BATTLES = sa.Table(
    "battles",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("touched", sa.Double, nullable=False, index=True),
    sa.Column("status", sa.String(16), nullable=False, index=True),
    sa.Column("title", sa.String(80), nullable=False),
    sa.Column("header", sa.Text, nullable=False),
    sa.Column("about", sa.Text, nullable=False),
    sa.Column("seats", sa.Text, nullable=False),
    sa.Column("secret", sa.String(64), nullable=False),
    sa.Column("era", sa.Integer, nullable=False),
    sa.Column("given", sa.Boolean, nullable=False),
)
"""``header``: as a saved battle has it; ``about``: what the lobby tells; ``seats``: who sits where (all JSON)."""

SEATS = sa.Table(
    "seats",
    METADATA,
    sa.Column("token", sa.String(64), primary_key=True),
    sa.Column("battle", sa.String(32), sa.ForeignKey("battles.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("role", sa.String(8), nullable=False),
)
"""``token``: SHA-256 of what stands in the link; the link itself is kept nowhere."""

ANSWERS = sa.Table(
    "answers",
    METADATA,
    sa.Column("battle", sa.String(32), sa.ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("data", sa.Text, nullable=False),
)
"""``data``: JSON of side, answer and checksum, as a line of a saved battle has them."""

LISTS = sa.Table(
    "lists",
    METADATA,
    sa.Column("name", sa.String(48), primary_key=True),
    sa.Column("touched", sa.Double, nullable=False, index=True),
    sa.Column("size", sa.Integer, nullable=False),
    sa.Column("data", sa.Text, nullable=False),
)
"""Army lists that were read: ``data`` is the JSON of what they hold, ``size`` its bytes, ``name`` a digest of it."""
