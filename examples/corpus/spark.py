"""Extract a table of pages with Spark: the rows of `tamis corpus`, by the same code.

    spark-submit spark.py PAGES TEXTS

PAGES is Parquet with a column `html` of text or bytes, and `url`, `id` and `fetched` if there are
any; TEXTS becomes Parquet with the columns of `tamis corpus`. tamis must be installed wherever an
executor runs. Steps over all of the input, site models and duplicates, are not for this recipe.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pandas as pd
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import input_file_name
from pyspark.sql.pandas.types import from_arrow_schema

from tamis.corpus.formats._base import make_record
from tamis.corpus.formats.parquet import parquet_schema
from tamis.corpus.records import USUAL, Record, Reject, Row, Settings
from tamis.corpus.steps.extraction import Extracting, Signed
from tamis.corpus.tasks import Watched, process_records


def extracted(pages: DataFrame, settings: Settings | None = None) -> DataFrame:
    """The rows of the pages that have content, with the filters of the settings."""
    settings = settings or Settings()
    columns = (*USUAL, *settings.also)
    return pages.mapInPandas(
        _extracting(settings, columns), from_arrow_schema(parquet_schema(columns))
    )


def _extracting(
    settings: Settings, columns: tuple[str, ...]
) -> Callable[[Iterator[pd.DataFrame]], Iterator[pd.DataFrame]]:
    def extract(frames: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        # A page that takes too long or too much memory ends this process and not the executor.
        watched: Watched[Signed] = Watched(
            "tamis.corpus.steps.extraction:make_extractor", Extracting(settings, ""), settings
        )
        try:
            for frame in frames:
                each = process_records(watched, _records(frame, settings))
                sources = frame.get("source", pd.Series("", frame.index))
                rows = [
                    one[0]._replace(source=source)
                    for one, source in zip(each, sources, strict=True)
                    if not isinstance(one, Reject)
                ]
                yield pd.DataFrame(rows, columns=list(Row._fields))[list(columns)]
        finally:
            watched.end()

    return extract


def _records(frame: pd.DataFrame, settings: Settings) -> Iterator[Record | Reject]:
    known = frame.astype(object).where(frame.notna(), None)
    for row in known.to_dict("records"):
        html = row["html"]
        yield make_record(
            "",
            bytes(html) if isinstance(html, bytearray) else html,
            row.get("url"),
            row.get("id"),
            row.get("fetched"),
            settings.options.max_bytes,
            is_text=isinstance(html, str),
        )


if __name__ == "__main__":
    given, wanted = sys.argv[1:]
    spark = (
        SparkSession.builder.appName("tamis")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
        # Pages are large: 10,000 of them, the default, are 1 GB.
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", 256)
        .getOrCreate()
    )
    table = spark.read.parquet(given).withColumn("source", input_file_name())
    extracted(table).write.option("compression", "zstd").parquet(wanted)
