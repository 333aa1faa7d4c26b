"""What the 3rd, 4th and 6th editions share: profiles, charts, the attack, the turn. An edition says what differs."""
