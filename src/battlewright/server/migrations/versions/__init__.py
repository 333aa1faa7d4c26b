"""The history of the database's tables (Alembic); the server brings a database up to date when it starts."""
