"""LlamaIndex: a reader of addresses and files, and a parser from HTML documents to nodes.

LlamaIndex can store both as dictionaries, so the options of tamis are a dictionary, too:
`TamisReader(options={"focus": "recall"})`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from llama_index.core.bridge.pydantic import BaseModel, Field, field_validator
from llama_index.core.node_parser import NodeParser
from llama_index.core.node_parser.node_utils import build_nodes_from_splits
from llama_index.core.readers.base import BasePydanticReader
from llama_index.core.schema import BaseNode, Document, MetadataMode
from llama_index.core.utils import get_tqdm_iterable

from tamis.flow import extract
from tamis.integrations._documents import (
    PLACE,
    DocumentMaker,
    Format,
    chunk_metadata,
    is_address,
    repeated_metadata,
)
from tamis.method_choices import check_name
from tamis.options import Options, choose_options
from tamis.web.download import FetchLimits

Source = str | os.PathLike[str]


class _WithOptions(BaseModel):
    options: dict[str, Any] = Field(
        default_factory=dict, description="Options of tamis.extract by their names."
    )

    @field_validator("options")
    @classmethod
    def _check(cls, options: dict[str, Any]) -> dict[str, Any]:
        check_name(options.get("method"))  # a stored component must not name code to run
        choose_options(None, options)
        return options


class TamisReader(_WithOptions, BasePydanticReader):
    """Reads pages from addresses and files, each as one document.

    It reads addresses as `tamis.fetch` does, and only public ones unless `allow_private` is set. It
    also works with `SimpleDirectoryReader`: `file_extractor={".html": TamisReader()}`.
    """

    is_remote: bool = True
    format: Format = Field("markdown", description="Markdown, text or html.")
    allow_private: bool = Field(False, description="Also read private and loopback addresses.")

    @classmethod
    def class_name(cls) -> str:
        return "TamisReader"

    def lazy_load_data(
        self,
        sources: Source | Sequence[Source],
        extra_info: Mapping[str, Any] | None = None,
        **load_kwargs: Any,
    ) -> Iterable[Document]:
        """Read one page after the other; a page without content gives no document.

        The address or path of a page is the id of its document. `extra_info` overrides the metadata
        of the page.
        """
        maker = DocumentMaker(self.format, None, 0, choose_options(None, self.options))
        limits = FetchLimits(allow_private=self.allow_private)
        for source in [sources] if isinstance(sources, str | os.PathLike) else sources:
            name = os.fspath(source)
            for content, metadata in maker.make_documents(maker.read_page(name, limits)):
                known = {"source": name, **metadata, **(extra_info or {})}
                yield Document(text=content, id_=name, metadata=known)


class TamisNodeParser(_WithOptions, NodeParser):
    """Turns documents that are HTML into nodes: chunks of the Markdown of their content.

    Nodes know their headings and their place in the source of the page. Embeddings and models do
    not see the place.
    """

    max_tokens: int = Field(512, description="Most tokens of a node.", gt=0)
    overlap: int = Field(0, description="Tokens that a node may repeat of the one before.", ge=0)

    @classmethod
    def class_name(cls) -> str:
        return "TamisNodeParser"

    def _parse_nodes(
        self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any
    ) -> list[BaseNode]:
        options = choose_options(None, self.options)
        parsed: list[BaseNode] = []
        for node in get_tqdm_iterable(nodes, show_progress, "Extracting"):
            parsed.extend(self._parse_node(node, options))
        return parsed

    def _parse_node(self, node: BaseNode, options: Options) -> list[BaseNode]:
        source = str(node.metadata.get("url") or node.metadata.get("source") or node.node_id)
        html = node.get_content(metadata_mode=MetadataMode.NONE)
        result = extract(html, url=source if is_address(source) else None, options=options)
        chunks = result.chunks(self.max_tokens, self.overlap)
        texts = [chunk.text for chunk in chunks]
        known = repeated_metadata(result)
        parsed: list[BaseNode] = []
        split = build_nodes_from_splits(texts, node, id_func=self.id_func)
        for chunk, part in zip(chunks, split, strict=True):
            if self.include_metadata:
                part.metadata = known | node.metadata | chunk_metadata(chunk)
                part.excluded_embed_metadata_keys = [*part.excluded_embed_metadata_keys, *PLACE]
                part.excluded_llm_metadata_keys = [*part.excluded_llm_metadata_keys, *PLACE]
            parsed.append(part)
        return parsed
