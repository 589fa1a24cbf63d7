"""Experiments on many machines, by Dask: `tot run --dask ADDRESS`."""
