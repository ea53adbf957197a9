"""Replays a fleet's logs on Apache Spark (`pip install pyspark`, `npm i densify`): a log a line in, a result a line out.

    python replay.py LOGS... > results.jsonl
"""
import json
import os
import sys

from pyspark.sql import SparkSession

COMMAND = os.environ.get("DENSIFY", "npx densify") + " replay --stdin --policies=none,intake,balanced"


def replayed(spark, paths):
    """The result of each log, in whatever order: each partition has one process, which keeps one log at a time."""
    logs = spark.sparkContext.wholeTextFiles(",".join(paths))
    return logs.values().map(json.dumps).pipe(COMMAND, checkCode=True)


if __name__ == "__main__":
    session = SparkSession.builder.appName("densify").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    for result in replayed(session, sys.argv[1:]).toLocalIterator():
        print(result)
