"""Evidence analysed: blocks summarised, answers judged again, draws tested."""
