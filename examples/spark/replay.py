"""Replays a fleet's logs on Apache Spark (`pip install pyspark`, `npm i densify`).

It reads one log per line and writes one result per line.

    python replay.py LOGS... > results.jsonl
"""
import json
import os
import sys

from pyspark.sql import SparkSession

DENSIFY = os.environ.get("DENSIFY", "npx densify")
COMMAND = DENSIFY + " replay --stdin --policies=none,intake,balanced"


def replayed(spark, paths):
    """The results of the logs, in any order. Each partition has a process, which holds one log."""
    logs = spark.sparkContext.wholeTextFiles(",".join(paths))
    return logs.values().map(json.dumps).pipe(COMMAND, checkCode=True)


if __name__ == "__main__":
    session = SparkSession.builder.appName("densify").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    for result in replayed(session, sys.argv[1:]).toLocalIterator():
        print(result)
