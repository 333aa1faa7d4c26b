"""Army lists that were read, so that a restart between reading one and starting a battle loses nothing."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "lists",
        sa.Column("name", sa.String(48), nullable=False),
        sa.Column("touched", sa.Double(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_lists")),
    )
    op.create_index(op.f("ix_lists_touched"), "lists", ["touched"])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("lists")
