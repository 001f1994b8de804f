"""Nodes of a DAG that `wf export dagman` wrote. They run in the exported folder, which is the storage of the site."""
