//! The Rust SDK for adapters: the processes between ifcert's runner and one runtime (docs/protocol.md). The standard
//! library only. example_adapter.rs beside this file is a complete adapter.
//!
//! A panic of the adapter's own is answered as its fault; one in `clock.runtime(…)` ends the process, and so does every
//! panic where Cargo.toml says `panic = "abort"`.
#![allow(dead_code)] // an adapter uses a part of it

use std::any::Any;
use std::collections::HashMap;
use std::fmt::Display;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::time::{Duration, Instant};

const MESSAGE_LIMIT: usize = 4000; // of a refusal: some runtimes quote the whole model

/// A value of the protocol. `of` is a type such as tensor(float32), None where it is unknown.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Tensor(Tensor),
    Sequence {
        of: Option<String>,
        items: Vec<Tensor>,
    },
    Optional {
        of: Option<String>,
        value: Option<Box<Value>>,
    },
    /// One that the protocol cannot represent, described for the report.
    Other(String),
}

/// The elements' little-endian bytes are in `data`; strings have each element's own bytes in `strings`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tensor {
    pub element_type: String,
    pub shape: Vec<usize>,
    pub data: Vec<u8>,
    pub strings: Vec<Vec<u8>>,
}

pub type Named = (String, Value);

/// A size of a declared shape.
pub enum Dim {
    Size(usize),
    Name(String),
    Unknown,
}

/// An output as the loaded model declares it; None is unknown.
pub struct Port {
    pub name: String,
    pub element_type: Option<String>,
    pub shape: Option<Vec<Dim>>,
}

/// A feature that the runtime lacks, why, and the page of its own documentation that states it.
pub struct UnsupportedFeature(pub &'static str, pub &'static str, pub &'static str);

/// The answer to hello; the version comes from the runtime itself.
pub struct Description {
    pub adapter: &'static str,
    pub runtime: &'static str,
    pub version: String,
    pub home: &'static str,
    pub holds: bool,
    pub unsupported_features: Vec<UnsupportedFeature>,
}

/// Why there is no answer of the usual kind.
#[derive(Debug)]
pub enum Failure {
    /// The runtime refused.
    Refused(String),
    /// A feature that `unsupported_features` declares, or, with a status of the runtime's own, anything else.
    Unsupported {
        what: String,
        message: String,
        status: Option<String>,
    },
    /// The adapter is at fault.
    Adapter(String),
}

pub type Outcome<T> = Result<T, Failure>;

/// Reads the outputs of a run from the runtime's own objects, in order: now, and again after later runs. It has no clock,
/// so whatever fails in it, a panic too, is the adapter's own fault.
pub type Outputs = Box<dyn Fn() -> Outcome<Vec<Named>>>;

/// One runtime. Put its calls, and nothing else, into `clock.runtime(…)`.
pub trait Adapter {
    fn describe(&self) -> Description;
    /// Loads the model, keeps it for `run`, and returns its outputs in order.
    fn load(&mut self, path: &str, clock: &mut Clock) -> Outcome<Vec<Port>>;
    fn run(&mut self, inputs: Vec<Named>, clock: &mut Clock) -> Outcome<Outputs>;
    fn unload(&mut self);
}

/// The time in the runtime for one message, and whether it is in the runtime now.
#[derive(Default)]
pub struct Clock {
    spent: Option<Duration>,
    is_inside: bool,
}

impl Clock {
    /// Calls of the runtime: an error is its refusal. A panic ends the process, which the runner calls a crash.
    pub fn runtime<T, E: Display>(&mut self, calls: impl FnOnce() -> Result<T, E>) -> Outcome<T> {
        self.judged(calls, |error| Failure::Refused(clipped(error)))
    }

    /// The same, where the adapter can tell the runtime's own not-implemented status.
    pub fn judged<T, E>(
        &mut self,
        calls: impl FnOnce() -> Result<T, E>,
        judge: impl FnOnce(E) -> Failure,
    ) -> Outcome<T> {
        let started = Instant::now();
        self.is_inside = true;
        let result = calls();
        self.is_inside = false;
        *self.spent.get_or_insert_default() += started.elapsed();
        result.map_err(judge)
    }
}

/// A message of a length that fits into a report.
pub fn clipped(error: impl Display) -> String {
    error.to_string().chars().take(MESSAGE_LIMIT).collect()
}

/// Answers the runner until it sends bye or is gone.
pub fn serve(mut adapter: impl Adapter) {
    let (requests, mut answers) = private_descriptors();
    let mut session = Session {
        adapter: &mut adapter,
        loaded: false,
        held: HashMap::new(),
    };
    for line in BufReader::new(requests).lines() {
        let request = Json::parse(&line.expect("a request"));
        if request.text("cmd") == "bye" {
            return;
        }
        let mut answer = session.answer(&request).to_string();
        answer.push('\n');
        answers.write_all(answer.as_bytes()).expect("the runner is gone");
    }
}

extern "C" {
    fn fcntl(descriptor: i32, command: i32, argument: i32) -> i32;
    fn dup2(from: i32, to: i32) -> i32;
}

/// Moves the protocol away from descriptors 0 and 1; what is printed on 1 goes to 2. Children inherit neither.
fn private_descriptors() -> (File, File) {
    const F_DUPFD_CLOEXEC: i32 = 1030; // Linux
    let nothing = File::open("/dev/null").expect("/dev/null");
    // SAFETY: the descriptors are new and belong to nobody else.
    unsafe {
        let files = (
            File::from_raw_fd(fcntl(0, F_DUPFD_CLOEXEC, 3)),
            File::from_raw_fd(fcntl(1, F_DUPFD_CLOEXEC, 3)),
        );
        dup2(nothing.as_raw_fd(), 0);
        dup2(2, 1);
        files
    }
}

/// One model, and the outputs that its runs hold, by the run's id.
struct Session<'a> {
    adapter: &'a mut dyn Adapter,
    loaded: bool,
    held: HashMap<i64, Outputs>,
}

impl Session<'_> {
    fn answer(&mut self, request: &Json) -> Json {
        if request.text("cmd") == "hello" {
            return object([("hello", describe(&self.adapter.describe()))]);
        }
        let mut clock = Clock::default();
        let (kind, content) = self
            .caught(request, &mut clock)
            .unwrap_or_else(|failure| self.failure(failure));
        let mut members = vec![
            ("id".to_string(), Json::Number(request.number("id"))),
            (kind.to_string(), content),
        ];
        if let Some(spent) = clock.spent {
            members.push(("runtime_ms".to_string(), Json::Milliseconds(spent)));
        }
        Json::Object(members)
    }

    /// A panic is the adapter's own fault, unless it comes from the runtime: then it goes on, and ends the process.
    fn caught(&mut self, request: &Json, clock: &mut Clock) -> Outcome<(&'static str, Json)> {
        match catch_unwind(AssertUnwindSafe(|| self.dispatch(request, clock))) {
            Ok(outcome) => outcome,
            Err(fault) if clock.is_inside => resume_unwind(fault),
            Err(fault) => Err(Failure::Adapter(format!("panic: {}", words_of(&*fault)))),
        }
    }

    fn dispatch(&mut self, request: &Json, clock: &mut Clock) -> Outcome<(&'static str, Json)> {
        match request.text("cmd") {
            "load" => {
                self.drop_model();
                let ports = self.adapter.load(request.text("model"), clock)?;
                self.loaded = true;
                Ok((
                    "loaded",
                    object([("outputs", Json::List(ports.iter().map(encode_port).collect()))]),
                ))
            }
            "unload" => {
                self.drop_model();
                self.adapter.unload();
                Ok(("unloaded", Json::Object(vec![])))
            }
            _ if !self.loaded => Ok(("skipped", Json::Object(vec![]))),
            "run" => {
                let hold = request.get("hold") == Some(&Json::Bool(true));
                if hold {
                    let nothing = || Err(Failure::Refused("its run returned no outputs to hold".into()));
                    self.held.insert(request.number("id"), Box::new(nothing));
                }
                let read = self.adapter.run(decode_inputs(request)?, clock)?;
                let outputs = read()?;
                if hold {
                    self.held.insert(request.number("id"), read);
                }
                Ok(("outputs", encode_outputs(&outputs)))
            }
            "reread" => {
                let held = self.held.get(&request.number("held"));
                let read = held.ok_or_else(|| Failure::Adapter("there are no such held outputs".into()))?;
                Ok(("outputs", encode_outputs(&read()?)))
            }
            command => Err(Failure::Adapter(format!("the command {command:?} is unknown here"))),
        }
    }

    fn drop_model(&mut self) {
        self.held.clear();
        self.loaded = false;
    }

    /// An undeclared feature without a status is the adapter's own mistake: it would turn a failure into an excuse.
    fn failure(&self, failure: Failure) -> (&'static str, Json) {
        match failure {
            Failure::Refused(message) => ("refused", object([("message", text(message))])),
            Failure::Unsupported { what, message, status } => {
                if status.is_none()
                    && self
                        .adapter
                        .describe()
                        .unsupported_features
                        .iter()
                        .all(|each| each.0 != what)
                {
                    let undeclared = format!("'{what}' is unsupported, but hello did not declare it: {message}");
                    return self.failure(Failure::Adapter(undeclared));
                }
                let mut members = vec![("what".into(), text(what)), ("message".into(), text(message))];
                members.extend(status.map(|status| ("status".into(), text(status))));
                ("unsupported", Json::Object(members))
            }
            Failure::Adapter(message) => {
                eprintln!("{message}");
                ("adapter_error", object([("message", text(message))]))
            }
        }
    }
}

/// The message of a panic, if it has one.
fn words_of(fault: &(dyn Any + Send)) -> &str {
    let words = fault.downcast_ref::<String>().map(String::as_str);
    words
        .or_else(|| fault.downcast_ref::<&str>().copied())
        .unwrap_or("something else than words")
}

fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
    Json::Object(
        members
            .into_iter()
            .map(|(name, value)| (name.to_string(), value))
            .collect(),
    )
}

fn text(text: impl Into<String>) -> Json {
    Json::Text(text.into())
}

fn text_or_null(text: &Option<String>) -> Json {
    text.clone().map_or(Json::Null, Json::Text)
}

fn describe(own: &Description) -> Json {
    let features = own
        .unsupported_features
        .iter()
        .map(|UnsupportedFeature(what, why, link)| {
            object([("what", text(*what)), ("why", text(*why)), ("link", text(*link))])
        });
    object([
        ("protocol", Json::Number(1)),
        ("adapter", text(own.adapter)),
        (
            "runtime",
            object([
                ("name", text(own.runtime)),
                ("version", text(own.version.as_str())),
                ("language", text("Rust")),
                ("home", text(own.home)),
            ]),
        ),
        ("formats", Json::List(vec![text("onnx")])),
        ("computes", Json::Bool(true)),
        ("threads", Json::Bool(false)),
        ("holds", Json::Bool(own.holds)),
        ("unsupported_features", Json::List(features.collect())),
    ])
}

fn encode_port(port: &Port) -> Json {
    let dims = port.shape.as_ref().map_or(Json::Null, |shape| {
        Json::List(
            shape
                .iter()
                .map(|dim| match dim {
                    Dim::Size(size) => Json::Number(*size as i64),
                    Dim::Name(name) => text(name.as_str()),
                    Dim::Unknown => Json::Null,
                })
                .collect(),
        )
    });
    object([
        ("name", text(port.name.as_str())),
        ("type", text_or_null(&port.element_type)),
        ("shape", dims),
    ])
}

fn decode_inputs(request: &Json) -> Outcome<Vec<Named>> {
    request
        .list("inputs")
        .iter()
        .map(|input| {
            Ok((
                input.text("name").to_string(),
                decode(input.get("value").unwrap_or(&Json::Null))?,
            ))
        })
        .collect()
}

fn decode(value: &Json) -> Outcome<Value> {
    let of = || match value.get("of") {
        Some(Json::Text(of)) => Some(of.clone()),
        _ => None,
    };
    match value.text("kind") {
        "tensor" => Ok(Value::Tensor(decode_tensor(value))),
        "sequence" => Ok(Value::Sequence {
            of: of(),
            items: value.list("items").iter().map(decode_tensor).collect(),
        }),
        "optional" => {
            let inner = value.get("value").map(decode).transpose()?;
            Ok(Value::Optional {
                of: of(),
                value: inner.map(Box::new),
            })
        }
        kind => Err(Failure::Adapter(format!("a value of kind {kind:?} cannot be an input"))),
    }
}

fn decode_tensor(value: &Json) -> Tensor {
    let bytes = |text: &Json| {
        if let Json::Text(text) = text {
            from_base64(text)
        } else {
            vec![]
        }
    };
    Tensor {
        element_type: value.text("type").to_string(),
        shape: value
            .list("shape")
            .iter()
            .map(|dim| {
                if let Json::Number(size) = dim {
                    *size as usize
                } else {
                    0
                }
            })
            .collect(),
        data: value.get("data").map(bytes).unwrap_or_default(),
        strings: value.list("strings").iter().map(bytes).collect(),
    }
}

fn encode_outputs(outputs: &[Named]) -> Json {
    Json::List(
        outputs
            .iter()
            .map(|(name, value)| object([("name", text(name.as_str())), ("value", encode(value))]))
            .collect(),
    )
}

fn encode(value: &Value) -> Json {
    match value {
        Value::Tensor(tensor) => encode_tensor(tensor),
        Value::Sequence { of, items } => object([
            ("kind", text("sequence")),
            ("of", text_or_null(of)),
            ("items", Json::List(items.iter().map(encode_tensor).collect())),
        ]),
        Value::Optional { of, value } => {
            let inner = value
                .as_ref()
                .map_or(("absent", Json::Bool(true)), |value| ("value", encode(value)));
            object([("kind", text("optional")), ("of", text_or_null(of)), inner])
        }
        Value::Other(is) => object([("kind", text("other")), ("is", text(is.as_str()))]),
    }
}

fn encode_tensor(tensor: &Tensor) -> Json {
    let content = if tensor.element_type == "string" {
        (
            "strings",
            Json::List(tensor.strings.iter().map(|each| text(to_base64(each))).collect()),
        )
    } else {
        ("data", text(to_base64(&tensor.data)))
    };
    let shape = tensor.shape.iter().map(|size| Json::Number(*size as i64)).collect();
    object([
        ("kind", text("tensor")),
        ("type", text(tensor.element_type.as_str())),
        ("shape", Json::List(shape)),
        content,
    ])
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub fn to_base64(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = three
            .iter()
            .enumerate()
            .fold(0u32, |bits, (at, byte)| bits | u32::from(*byte) << (16 - 8 * at));
        for at in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * at)) as usize & 63];
            digits.push(if at <= three.len() { digit as char } else { '=' });
        }
    }
    digits
}

pub fn from_base64(digits: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for digit in digits.bytes() {
        let Some(six) = DIGITS.iter().position(|each| *each == digit) else {
            break;
        };
        bits = bits << 6 | six as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

/// As much of JSON as the protocol needs.
#[derive(Clone, Debug, PartialEq)]
enum Json {
    Null,
    Bool(bool),
    Number(i64),
    Milliseconds(Duration),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    fn parse(line: &str) -> Json {
        Parser {
            bytes: line.as_bytes(),
            at: 0,
        }
        .value()
    }

    fn get(&self, name: &str) -> Option<&Json> {
        let Json::Object(members) = self else { return None };
        members.iter().find(|(each, _)| each == name).map(|(_, value)| value)
    }

    fn text(&self, name: &str) -> &str {
        if let Some(Json::Text(text)) = self.get(name) {
            text
        } else {
            ""
        }
    }

    fn number(&self, name: &str) -> i64 {
        if let Some(Json::Number(number)) = self.get(name) {
            *number
        } else {
            0
        }
    }

    fn list(&self, name: &str) -> &[Json] {
        if let Some(Json::List(items)) = self.get(name) {
            items
        } else {
            &[]
        }
    }
}

impl Display for Json {
    fn fmt(&self, to: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Json::Null => write!(to, "null"),
            Json::Bool(value) => write!(to, "{value}"),
            Json::Number(number) => write!(to, "{number}"),
            Json::Milliseconds(time) => write!(to, "{}", time.as_micros() as f64 / 1000.0),
            Json::Text(text) => quote(text, to),
            Json::List(items) => {
                for (at, item) in items.iter().enumerate() {
                    write!(to, "{}{item}", if at == 0 { "[" } else { "," })?;
                }
                write!(to, "{}", if items.is_empty() { "[]" } else { "]" })
            }
            Json::Object(members) => {
                write!(to, "{{")?;
                for (at, (name, value)) in members.iter().enumerate() {
                    write!(to, "{}", if at == 0 { "" } else { "," })?;
                    quote(name, to)?;
                    write!(to, ":{value}")?;
                }
                write!(to, "}}")
            }
        }
    }
}

fn quote(text: &str, to: &mut std::fmt::Formatter) -> std::fmt::Result {
    write!(to, "\"")?;
    for sign in text.chars() {
        match sign {
            '"' | '\\' => write!(to, "\\{sign}")?,
            '\0'..='\x1f' => write!(to, "\\u{:04x}", sign as u32)?,
            _ => write!(to, "{sign}")?,
        }
    }
    write!(to, "\"")
}

/// The runner sends valid JSON; anything else ends the process.
struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn value(&mut self) -> Json {
        match self.next() {
            b'{' => Json::Object(self.items(b'}', |parser| {
                let name = parser.string();
                assert_eq!(parser.next(), b':');
                parser.at += 1;
                (name, parser.value())
            })),
            b'[' => Json::List(self.items(b']', Parser::value)),
            b'"' => Json::Text(self.string()),
            _ => self.word(),
        }
    }

    fn next(&mut self) -> u8 {
        while self.bytes[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
        self.bytes[self.at]
    }

    fn items<T>(&mut self, end: u8, item: impl Fn(&mut Self) -> T) -> Vec<T> {
        let mut items = vec![];
        self.at += 1;
        while self.next() != end {
            items.push(item(self));
            self.at += usize::from(self.next() == b',');
        }
        self.at += 1;
        items
    }

    fn word(&mut self) -> Json {
        let from = self.at;
        while self.at < self.bytes.len() && !b",]} ".contains(&self.bytes[self.at]) {
            self.at += 1;
        }
        match std::str::from_utf8(&self.bytes[from..self.at]).expect("a word") {
            "null" => Json::Null,
            "true" => Json::Bool(true),
            "false" => Json::Bool(false),
            number => Json::Number(number.parse().expect("an integer")),
        }
    }

    fn string(&mut self) -> String {
        assert_eq!(self.next(), b'"');
        let mut bytes = vec![];
        let mut units = vec![]; // of UTF-16, which \u gives
        self.at += 1;
        while self.bytes[self.at] != b'"' {
            let sign = self.bytes[self.at];
            if sign == b'\\' && self.bytes[self.at + 1] == b'u' {
                let digits = std::str::from_utf8(&self.bytes[self.at + 2..self.at + 6]).expect("four digits");
                units.push(u16::from_str_radix(digits, 16).expect("four digits"));
                self.at += 6;
                continue;
            }
            bytes.extend(String::from_utf16_lossy(&std::mem::take(&mut units)).bytes());
            let escape = b"bfnrt"
                .iter()
                .position(|each| sign == b'\\' && *each == self.bytes[self.at + 1]);
            self.at += usize::from(sign == b'\\');
            bytes.push(escape.map_or(self.bytes[self.at], |at| b"\x08\x0c\n\r\t"[at]));
            self.at += 1;
        }
        self.at += 1;
        bytes.extend(String::from_utf16_lossy(&units).bytes());
        String::from_utf8(bytes).expect("UTF-8")
    }
}
