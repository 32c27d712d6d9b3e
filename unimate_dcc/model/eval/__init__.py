"""How well a model does on rigs it has never seen; nothing here is needed to animate."""
