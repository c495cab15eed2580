"""Games that were over long ago, moved from the log to bundles in a folder or a bucket, and read from there."""
