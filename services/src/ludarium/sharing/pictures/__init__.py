"""Pictures of tables, drawn from what titles say of themselves: as SVG, and as PNG for those that take no other."""
