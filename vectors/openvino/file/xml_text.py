"""The .xml as XML: any well-formed text is one model, and text that is not well-formed is not a model."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from ifcert.authoring import Vector, vectors_of
from ifcert.authoring.faults import fault
from ifcert.authoring.ir import replaced
from ifcert.authoring.ir_patterns import ADDS_OR_NEGATES, RUNS, adds_or_negates, everywhere, of_layer

RULE = "openvino/ir/well-formed/"
well_formed = vectors_of("openvino/ir/well-formed", "xml-utf-16")

PROLOG = '<?xml version="1.0"?>'
NO_DTD = "no page of OpenVINO says whether IR may have a DTD"
ANY_ENCODING = "XML may be UTF-16; no page of OpenVINO specifies the encoding of IR"


def vectors() -> Iterator[Vector]:
    plain = adds_or_negates(f"{RULE}one-net: a document with one element, <net>", ["ir-topology", "xml-document"])
    yield plain
    yield from faulty_markup(plain)
    yield from faulty_characters(plain)


def accepted() -> Iterator[Vector]:
    """Different spellings of the same document."""
    yield adds_or_negates(
        f"{RULE}comments: there are comments in a port map, in a body, among the edges and after </net>",
        ["xml-comments"],
        replaced("<then_port_map>", "<then_port_map><!-- <input/> -->"),
        replaced("<else_body>", "<else_body><!-- one operation -->"),
        lambda text: text.replace("<edges>", "<edges><!-- from, to -->") + "<!-- the end -->\n",
    )
    yield adds_or_negates(
        f"{RULE}comments-with-quotes: "
        "a comment in a port map contains an apostrophe, one in a body a quotation mark, each unpaired",
        ["xml-comments"],
        replaced("<then_port_map>", "<then_port_map><!-- the If's input -->"),
        replaced("<else_body>", '<else_body><!-- 5" wide -->'),
    )
    yield adds_or_negates(
        f"{RULE}comments-side-by-side: "
        "comments follow each other without anything between them, and the second of each pair has an apostrophe",
        ["xml-comments"],
        replaced("<then_port_map>", "<then_port_map><!-- one input --><!-- the If's output -->"),
        lambda text: text + "<!-- the end --><!-- that's all -->\n",
    )
    yield adds_or_negates(
        f"{RULE}comments-with-markup: comments contain &, <, > and the tags of a port map",
        ["xml-comments"],
        replaced("<else_port_map>", "<else_port_map><!-- a & b < c > d -->"),
        replaced("<then_body>", "<!-- <then_port_map/> <then_body> &none; --><then_body>"),
    )
    yield adds_or_negates(
        f"{RULE}declaration-in-full: "
        "the XML declaration has a version, an encoding and standalone, in both kinds of quotes and with spaces",
        ["xml-declaration"],
        replaced('<?xml version="1.0"?>', "<?xml version = '1.0'  encoding=\"UTF-8\"\n standalone= 'yes' ?>"),
    )
    yield adds_or_negates(
        f"{RULE}instructions-with-names-like-xml: "
        "processing instructions named xsl and html are before <net> and in a body",
        ["xml-processing-instructions"],
        lambda text: text.replace("<net", "<?xsl one?>\n<net", 1),
        replaced("<else_body>", "<else_body><?html two?>"),
    )
    yield adds_or_negates(
        f"{RULE}processing-instructions: "
        "there are processing instructions with an apostrophe before <net> and in a body",
        ["xml-processing-instructions"],
        replaced("<net ", "<?editor it's=mine?>\n<net "),
        replaced("<else_body>", "<else_body><?editor don't <wrap> & fold?>"),
    )
    yield adds_or_negates(
        f"{RULE}cdata-in-a-dim: the dims of the output are written as <![CDATA[2]]>",
        ["xml-cdata-sections"],
        replaced('names="y" precision="FP32"><dim>2<', 'names="y" precision="FP32"><dim><![CDATA[2]]><'),
    )
    yield adds_or_negates(
        f"{RULE}attributes-in-another-order: each element has its attributes in the opposite order",
        ["xml-attribute-order"],
        lambda text: re.sub(r"<(\w+)((?: [\w-]+=\"[^\"]*\")+)", _backwards, text),
    )
    yield adds_or_negates(
        f"{RULE}no-space-between: there is no white space between the elements",
        ["xml-document"],
        lambda text: re.sub(r">\s+<", "><", text),
    )
    yield adds_or_negates(
        f"{RULE}space-inside-of-tags: tabs and line ends in the tags and between them, as in a file from Windows",
        ["xml-white-space"],
        lambda text: text.replace("/>", "\t/>").replace('" ', '"\r\n\t ').replace("\n", "\r\n"),
    )
    yield adds_or_negates(
        f"{RULE}end-tags-written: elements without content have an end tag and no slash",
        ["xml-empty-element"],
        lambda text: re.sub(r"<(input|output|edge|data)( [^<>]*[^<>/])/>", r"<\1\2></\1>", text),
    )
    yield adds_or_negates(
        f'{RULE}character-references: the name of the output is written as "&#121;", ids as "&#50;"',
        ["xml-character-reference"],
        replaced('names="y"', 'names="&#121;"'),
        of_layer("op2", 'id="2" name', 'id="&#x32;" name'),
    )
    yield adds_or_negates(
        f"{RULE}all-kinds-of-references: "
        "the name of a layer has the five references without a declaration, and the last character that XML allows",
        ["xml-entity-declared", "xml-legal-character"],
        replaced('name="op2"', 'name="&amp;&lt;&gt;&apos;&quot;&#9;&#x10FFFF;"'),
    )
    yield adds_or_negates(
        f"{RULE}single-quotes: attributes are in single quotes, with space around the equals signs",
        ["xml-document"],
        replaced(
            '<input external_port_id="1" internal_layer_id="0"/>',
            "<input external_port_id = '1'\n internal_layer_id='0' />",
            within="then_port_map",
        ),
    )
    for case, written in [
        ("quotes-in-single-quotes: a name in single quotes has a quotation mark and a >", "'5\" > 4'"),
        ("apostrophe-in-double-quotes: a name in double quotes has an apostrophe and a >", '"x\'s > 4"'),
    ]:
        yield adds_or_negates(f"{RULE}{case}", ["xml-quotation-marks"], replaced('name="op2"', f"name={written}"))
    yield adds_or_negates(
        f"{RULE}names-beyond-ascii: layers have names with letters beyond ASCII",
        ["xml-characters"],
        replaced('name="op2"', 'name="größer ∑ 和"'),
    )
    yield replace(
        plain_bytes(
            "byte-order-mark: the text begins with UTF-8's byte order mark", lambda data: b"\xef\xbb\xbf" + data
        ),
        why=["xml-byte-order-mark"],
    )


def _backwards(tag: re.Match[str]) -> str:
    """A start tag with its attributes in the opposite order."""
    return f"<{tag.group(1)}" + "".join(re.findall(r" [\w-]+=\"[^\"]*\"", tag.group(2))[::-1])


def plain_bytes(case: str, edit: Callable[[bytes], bytes], doubt: str = "") -> Vector:
    """The model whose text was edited as bytes, and which is still that model."""
    files = ADDS_OR_NEGATES.files()
    data = edit(files.pop("model.xml"))
    return well_formed(case, data, RUNS, files=files, described_by=ADDS_OR_NEGATES, doubt=doubt)


def faulty_markup(plain: Vector) -> Iterator[Vector]:
    """Tags, attributes and their quotes."""
    for case, made in {
        "end-tag-of-another-element: <edges> of then_body ends with </edge>": fault(
            replaced("</edges>\n      </then_body>", "</edge>\n      </then_body>"), "xml-end-tag"
        ),
        "end-tag-missing: </then_body> is missing": fault(replaced("</then_body>", ""), "xml-end-tag"),
        "elements-overlap: then_body ends inside its last element": fault(
            replaced("</edges>\n      </then_body>", "</then_body>\n      </edges>"), "xml-end-tag"
        ),
        "layer-id-twice: a layer has the attribute id twice": fault(
            of_layer("op2", 'id="2" name', 'id="2" id="7" name'), "xml-attribute-once"
        ),
        "layer-id-twice-apart: a layer has the attribute id twice, with its name between them": fault(
            of_layer("op2", 'name="op2"', 'name="op2" id="7"'), "xml-attribute-once"
        ),
        "entry-attribute-twice: an entry of then's port map has internal_layer_id twice": fault(
            replaced(
                'internal_layer_id="0"/>', 'internal_layer_id="0" internal_layer_id="3"/>', within="then_port_map"
            ),
            "xml-attribute-once",
        ),
        'same-value-twice: an edge has to-port="0" twice': fault(
            replaced(
                'from-layer="100" from-port="2" to-layer="200" to-port="0"',
                'from-layer="100" from-port="2" to-layer="200" to-port="0" to-port="0"',
            ),
            "xml-attribute-once",
        ),
        "value-without-quotes: an id has no quotes": fault(of_layer("op2", 'id="2" name', "id=2 name"), "xml-document"),
        "quote-missing: the name of a layer has no closing quote": fault(
            replaced('name="op2"', 'name="op2'), "xml-document"
        ),
        "attribute-without-value: an attribute has no value": fault(
            of_layer("op2", 'id="2" name', 'id="2" dynamic name'), "xml-document"
        ),
        "two-nets: there is a second <net>": fault(lambda text: text + text.partition("?>")[2], "xml-one-root"),
        "text-behind-net: there is text after </net>": fault(lambda text: text + "and so on\n", "xml-one-root"),
        "text-before-net: there is text before <net>": fault(replaced("<net ", "model: <net "), "xml-one-root"),
        "text-before-all: the file begins with text, and has no XML declaration": fault(
            lambda text: "model:\n" + text.partition("?>")[2].lstrip(), "xml-document"
        ),
        "two-hyphens-in-a-comment: a comment contains two hyphens in a row": fault(
            replaced("<else_body>", "<else_body><!-- x -- y -->"), "xml-double-hyphen"
        ),
        "two-hyphens-in-a-comment-behind-net: a comment after </net> contains two hyphens in a row": fault(
            lambda text: text + "<!-- the -- end -->\n", "xml-double-hyphen"
        ),
        "comment-ends-in-three-hyphens: a comment ends in three hyphens and a >": fault(
            replaced("<else_body>", "<else_body><!-- x --->"), "xml-comment-end"
        ),
        "end-of-cdata-in-content: the text of else_body contains ]]>, but no CDATA section ends there": fault(
            replaced("<else_body>", "<else_body>]]>"), "xml-right-angle-bracket", "xml-character-data"
        ),
        "declaration-twice: a second XML declaration follows the first": fault(
            replaced(PROLOG, PROLOG + PROLOG), "xml-pi-target", "xml-prolog"
        ),
        "space-before-the-declaration: a space comes before the XML declaration": fault(
            lambda text: " " + text, "xml-prolog", "xml-pi-target"
        ),
        "declaration-behind-a-comment: a comment comes before the XML declaration": fault(
            lambda text: "<!-- a model -->" + text, "xml-prolog", "xml-pi-target"
        ),
        "declaration-in-a-body: else_body contains a processing instruction named XML, which is reserved": fault(
            replaced("<else_body>", '<else_body><?XML version="1.0"?>'), "xml-pi-target"
        ),
        "declaration-without-version: the XML declaration has an encoding and no version": fault(
            replaced(PROLOG, '<?xml encoding="UTF-8"?>'), "xml-declaration"
        ),
        "encoding-before-version: the XML declaration has its encoding before its version": fault(
            replaced(PROLOG, '<?xml encoding="UTF-8" version="1.0"?>'), "xml-declaration"
        ),
        "version-without-quotes: the version of XML has no quotes": fault(
            replaced(PROLOG, "<?xml version=1.0?>"), "xml-declaration", "xml-version-info"
        ),
        "less-than-in-name: a name contains <": fault(replaced('name="op2"', 'name="a<b"'), "xml-no-less-than"),
        "less-than-in-single-quotes: a name in single quotes contains <": fault(
            replaced('name="op2"', "name='a<b'"), "xml-attribute-value"
        ),
        "undeclared-entity: a name refers to an entity that is not declared": fault(
            replaced('name="op2"', 'name="&op;"'), "xml-entity-declared"
        ),
        "bare-ampersand: a name contains a bare &": fault(
            replaced('name="op2"', 'name="a & b"'), "xml-entity-declared"
        ),
        "bare-ampersand-in-single-quotes: a name in single quotes contains a bare &": fault(
            replaced('name="op2"', "name='a & b'"), "xml-ampersand"
        ),
        "undeclared-entity-in-content: the text of else_body refers to an entity that is not declared": fault(
            replaced("<else_body>", "<else_body>&op;"), "xml-entity-declared"
        ),
        "bare-ampersand-in-content: the text of then_port_map contains a bare &": fault(
            replaced("<then_port_map>", "<then_port_map> a & b "), "xml-entity-declared"
        ),
        **{
            f"reference-to-{case}: a name refers to {what}": fault(
                replaced('"op2"', f'"op&#{number};"'), "xml-legal-character"
            )
            for case, number, what in [
                ("character-0", "0", "the character 0"),
                ("a-control-character", "x1F", "the control character 31"),
                ("a-surrogate", "xD800", "half of a surrogate pair"),
                ("the-last-surrogate", "xDFFF", "the other half, U+DFFF, the last one"),
                ("no-character", "x110000", "a number beyond the last character"),
                ("character-fffe", "xFFFE", "U+FFFE"),
            ]
        },
        **{
            f"reference-{case}: a reference to a character {what}": fault(
                replaced('"op2"', f'"op&#{text};"'), "xml-document"
            )
            for case, text, what in [
                ("without-a-number", "", "has no number"),
                ("without-a-hexadecimal-number", "x", "has no number after its x"),
                ("in-letters", "5A", "has a letter among its decimal digits"),
                ("with-a-large-x", "X41", "has a capital X"),
            ]
        },
    }.items():
        yield plain.broken(case, made.edit, why=made.why)


def faulty_characters(plain: Vector) -> Iterator[Vector]:
    """Truncated files, and bytes that are not text."""
    for case, edit in [
        ("empty: the file is empty", lambda _: b""),
        ("cut-in-main-edges: the file ends among the edges of the main network", lambda data: data[:-60]),
        ("cut-in-then-body: the file ends inside then_body", lambda data: data[: data.index(b"</then_body>") - 40]),
        ("cut-in-a-tag: the file ends inside a tag", lambda data: data[: data.index(b"<else_body>") + 6]),
        ("cut-before-the-last-bracket: the last > is missing", lambda data: data.rstrip()[:-1]),
    ]:
        yield plain.broken(case, why=["xml-document"], bytes_edit=edit)
    for case, edit in {
        "zero-byte-in-name: a name contains a zero byte": lambda data: data.replace(b'"op2"', b'"op\x002"'),
        "zero-bytes-behind: there are zero bytes after </net>": lambda data: data + bytes(8),
        "control-character: a name contains the control character 1": lambda data: data.replace(b'"op2"', b'"op\x012"'),
        "no-utf-8: a name is not UTF-8": lambda data: data.replace(b'"op2"', b'"op\xff\xfe2"'),
    }.items():
        yield plain.broken(case, why=["xml-characters"], bytes_edit=edit)


def in_doubt() -> Iterator[Vector]:
    """Encodings and document types, which the pages on IR do not mention."""
    yield plain_bytes(
        "utf-16: the text is UTF-16",
        lambda data: data.decode().replace('"1.0"', '"1.0" encoding="UTF-16"').encode("utf-16"),
        doubt=ANY_ENCODING,
    )
    tenfold = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    laughs = f'<!DOCTYPE net [<!ENTITY l0 "hahahahaha">{tenfold}<!ENTITY e "&l9;">]>'
    for case, (title, declared) in {
        "doctype": ("there is a DOCTYPE that declares nothing", "<!DOCTYPE net>"),
        "internal-entity": ("the name of a layer is an entity that a DTD declares", '<!DOCTYPE net [<!ENTITY e "a">]>'),
        "billion-laughs": ("the name of a layer is an entity that expands to 10 000 million characters", laughs),
        "external-entity": (
            "the name of a layer is an entity of another file",
            '<!DOCTYPE net [<!ENTITY e SYSTEM "file:///dev/zero">]>',
        ),
        "recursive-entity": (
            "the name of a layer is an entity that refers to itself",
            '<!DOCTYPE net [<!ENTITY e "&f;"><!ENTITY f "&e;">]>',
        ),
    }.items():
        name = "op2" if case == "doctype" else "&e;"
        edits = [replaced("<net ", f"{declared}\n<net "), everywhere(('name="op2"', f'name="{name}"'))]
        yield replace(
            adds_or_negates(f"{RULE}{case}: {title}", ["xml-entity-declared"], *edits, doubt=NO_DTD),
            described_by=ADDS_OR_NEGATES,
        )
