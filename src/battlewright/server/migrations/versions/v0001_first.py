"""The first tables: battles, seats, answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "battles",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("touched", sa.Double(), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("header", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("seats", sa.Text(), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("era", sa.Integer(), nullable=False),
        sa.Column("given", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_battles")),
    )
    op.create_index(op.f("ix_battles_status"), "battles", ["status"])
    op.create_index(op.f("ix_battles_touched"), "battles", ["touched"])
    op.create_table(
        "seats",
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("battle", sa.String(32), nullable=False),
        sa.Column("role", sa.String(8), nullable=False),
        sa.ForeignKeyConstraint(["battle"], ["battles.id"], name=op.f("fk_seats_battle_battles"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token", name=op.f("pk_seats")),
    )
    op.create_index(op.f("ix_seats_battle"), "seats", ["battle"])
    op.create_table(
        "answers",
        sa.Column("battle", sa.String(32), nullable=False),
        sa.Column("n", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["battle"], ["battles.id"], name=op.f("fk_answers_battle_battles"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("battle", "n", name=op.f("pk_answers")),
    )


def downgrade() -> None:
    """Drop them."""
    for name in ("answers", "seats", "battles"):
        op.drop_table(name)
