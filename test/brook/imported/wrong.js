// Run by a test: its import fails.
import './wrong.br';
