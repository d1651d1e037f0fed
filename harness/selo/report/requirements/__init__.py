"""Which document a result allows, and the fields and statements it must carry."""
