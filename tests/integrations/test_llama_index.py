"""The reader and the node parser in LlamaIndex itself."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.integrations.examples import ROOT, examples, run_example

pytest.importorskip("llama_index.core", reason="needs tamis[llama-index]: make integrations")

from llama_index.core import SimpleDirectoryReader
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.schema import Document, MetadataMode, NodeRelationship

import tamis
from tamis.integrations.llama_index import TamisNodeParser, TamisReader

NEWS = ROOT / "examples" / "news.html"
THAI = ROOT / "examples" / "thai.html"


def test_the_reader_gives_pages_with_their_metadata() -> None:
    news, thai = TamisReader().load_data([NEWS, str(THAI)])
    assert news.text == tamis.extract(NEWS).markdown
    assert news.doc_id == news.metadata["source"] == str(NEWS)
    assert news.metadata["author"] == "Clementine Rook"
    assert thai.metadata["language"] == "th"
    (text,) = TamisReader(format="text", options={"focus": "recall"}).load_data(NEWS)
    assert text.text == tamis.extract(NEWS, focus="recall").text
    assert asyncio.run(TamisReader().aload_data(NEWS))[0].text == news.text


def test_the_reader_is_stored_and_comes_back() -> None:
    reader = TamisReader(format="text", options={"links": False})
    assert TamisReader.from_dict(reader.to_dict()) == reader
    assert TamisReader.from_json(reader.to_json()) == reader
    assert reader.to_dict()["class_name"] == "TamisReader"


def test_folders_are_read_with_it(tmp_path: Path) -> None:
    (tmp_path / "news.html").write_bytes(NEWS.read_bytes())
    (tmp_path / "notes.txt").write_text("A note.")
    folder = SimpleDirectoryReader(str(tmp_path), file_extractor={".html": TamisReader()})
    news, notes = folder.load_data()
    assert news.text == tamis.extract(NEWS).markdown
    assert news.metadata["file_name"] == "news.html"
    assert news.metadata["title"] == "The village that learned to bake by moonlight"
    assert notes.text == "A note."


def test_addresses_are_guarded() -> None:
    with pytest.raises(tamis.FetchError, match="not a public address"):
        TamisReader().load_data("http://127.0.0.1:9/")


def test_nodes_are_chunks_with_headings_places_and_neighbours() -> None:
    page = Document(text=NEWS.read_text("utf-8"), metadata={"url": "https://a.example/n"})
    nodes = TamisNodeParser(max_tokens=120, overlap=10).get_nodes_from_documents([page])
    chunks = tamis.extract(NEWS, url="https://a.example/n").chunks(120, 10)
    contents = [node.get_content(metadata_mode=MetadataMode.NONE) for node in nodes]
    assert contents == [chunk.text for chunk in chunks]
    assert [node.metadata["start"] for node in nodes] == [chunk.start for chunk in chunks]
    last = nodes[-1]
    assert last.metadata["headings"] == " > ".join(chunks[-1].headings)
    assert last.metadata["url"] == "https://a.example/n"
    assert last.ref_doc_id == page.doc_id
    assert NodeRelationship.PREVIOUS in last.relationships
    shown = last.get_content(metadata_mode=MetadataMode.EMBED)
    assert "title: The village" in shown
    assert "xpath" not in shown
    assert page.excluded_embed_metadata_keys == []


def test_the_parser_is_a_step_of_a_pipeline_and_is_stored() -> None:
    parser = TamisNodeParser(max_tokens=200, options={"images": False})
    # What LlamaIndex stores of `id_func` comes back in none of its parsers.
    restored = TamisNodeParser.from_dict(parser.to_dict(), id_func=None)
    assert (restored.max_tokens, restored.options) == (200, {"images": False})
    pipeline = IngestionPipeline(transformations=[restored])
    nodes = pipeline.run(documents=[Document(text=NEWS.read_text("utf-8")), Document(text="")])
    assert len(nodes) == len(tamis.extract(NEWS, images=False).chunks(200))


def test_a_stored_component_says_nothing_of_code_to_run() -> None:
    data = {**TamisNodeParser().to_dict(), "options": {"method": "os:PathLike"}}
    with pytest.raises(tamis.MethodError, match="give a name"):
        TamisNodeParser.from_dict(data, id_func=None)


def test_wrong_options_are_said_at_once() -> None:
    with pytest.raises(ValueError, match="did you mean 'focus'"):
        TamisReader(options={"focuss": "recall"})


@examples("llama_index")
def test_the_examples_run(code: str, printed: str, tmp_path: Path) -> None:
    run_example(code, printed, tmp_path)
