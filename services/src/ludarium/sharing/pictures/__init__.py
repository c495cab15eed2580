"""Pictures of tables as SVG and PNG, drawn from the titles' declarations."""
