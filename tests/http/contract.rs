//! The contract, `openapi.yaml`, and whether what is asked and answered keeps to it.

use std::collections::BTreeMap;
use std::fs;
use std::sync::LazyLock;

use jsonschema::{Draft, Validator};
use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::client::{Answer, Ask};

/// The text of the contract.
pub(crate) static TEXT: LazyLock<String> = LazyLock::new(|| fs::read_to_string("openapi.yaml").unwrap());

/// The contract, with what is referred to in the place of each reference.
pub(crate) static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let document = yaml_serde::from_str(&TEXT).unwrap();
    resolved(&document, &document)
});

/// All operations of the contract.
pub(crate) static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(|| {
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let methods = |item: &Value| members(item).filter(|(name, _)| *name != "parameters").count();
    let operations: Vec<Operation> = paths.iter().flat_map(|(path, item)| Operation::all(path, item)).collect();
    assert_eq!(operations.len(), paths.values().map(methods).sum::<usize>());
    operations
});

/// What can answer whatever is asked.
const ANYWHERE: [u16; 3] = [429, 500, 503];

/// An operation of the contract.
pub(crate) struct Operation {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) answers: BTreeMap<u16, Described>,
    parameters: Vec<Parameter>,
    body: Option<Body>,
    needs_token: bool,
}

struct Parameter {
    name: String,
    place: String,
    is_required: bool,
    schema: TextSchema,
    example: Option<String>,
}

struct Body {
    is_required: bool,
    schema: Validator,
}

/// An answer as the contract describes it.
pub(crate) struct Described {
    headers: Vec<(String, TextSchema)>,
    /// By media type.
    pub(crate) content: BTreeMap<String, Validator>,
}

/// The schema of what is sent as text: a header, or a parameter.
struct TextSchema {
    is_number: bool,
    validator: Validator,
}

impl Operation {
    fn all(path: &str, item: &Value) -> Vec<Operation> {
        let shared = items(&item["parameters"]);
        let methods = members(item).filter(|(name, _)| *name != "parameters");
        let operation = |(method, operation): (&str, &Value)| Operation {
            method: method.to_uppercase().parse().unwrap(),
            path: path.to_string(),
            answers: members(&operation["responses"])
                .map(|(status, answer)| (status.parse().unwrap(), Described::new(answer)))
                .collect(),
            parameters: shared.iter().chain(items(&operation["parameters"])).map(Parameter::new).collect(),
            body: operation.get("requestBody").map(Body::new),
            needs_token: items(&operation["security"]).iter().all(|way| way.get("token").is_some())
                && !items(&operation["security"]).is_empty(),
        };
        methods.map(operation).collect()
    }

    /// Its path, with examples for what varies in it.
    pub(crate) fn example_path(&self) -> String {
        self.parameters.iter().filter(|parameter| parameter.place == "path").fold(self.path.clone(), |path, each| {
            path.replace(&format!("{{{}}}", each.name), each.example.as_ref().expect("an example"))
        })
    }

    /// Why a request is not one of this operation.
    fn complaints(&self, ask: &Ask) -> Vec<String> {
        let (path, query) = ask.path.split_once('?').unwrap_or((&ask.path, ""));
        let query: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let mut complaints = Vec::new();
        for parameter in &self.parameters {
            let values: Vec<String> = match parameter.place.as_str() {
                "path" => vec![self.segment(&parameter.name, path)],
                "query" => query.iter().filter(|(name, _)| *name == parameter.name).map(|(_, v)| v.clone()).collect(),
                _ => header(&ask.headers, &parameter.name).into_iter().collect(),
            };
            if values.len() > 1 || values.is_empty() && parameter.is_required {
                complaints.push(format!("{} is there {} times", parameter.name, values.len()));
            }
            complaints.extend(values.iter().flat_map(|value| parameter.schema.complaints(&parameter.name, value)));
        }
        let is_known = |name: &String| self.parameters.iter().any(|each| each.place == "query" && each.name == *name);
        let unknown = query.iter().filter(|(name, _)| path.starts_with("/v1/") && !is_known(name));
        complaints.extend(unknown.map(|(name, _)| format!("there is no parameter {name}")));
        if self.needs_token && header(&ask.headers, "authorization").is_none() {
            complaints.push("there is no token".to_string());
        }
        if let Some(body) = &self.body {
            complaints.extend(body.complaints(ask));
        }
        complaints
    }

    /// What stands in a path where the template has that name.
    fn segment(&self, name: &str, path: &str) -> String {
        let name = format!("{{{name}}}");
        let mut pairs = self.path.split('/').zip(path.split('/'));
        pairs.find(|(template, _)| *template == name).unwrap().1.to_string()
    }

    fn is_at(&self, path: &str) -> bool {
        let path = path.split('?').next().unwrap();
        let (templates, segments): (Vec<_>, Vec<_>) = (self.path.split('/').collect(), path.split('/').collect());
        let fits = |(template, segment): (&&str, &&str)| {
            template == segment || template.starts_with('{') && !segment.is_empty()
        };
        templates.len() == segments.len() && templates.iter().zip(&segments).all(fits)
    }
}

impl Parameter {
    fn new(value: &Value) -> Parameter {
        let text = |name: &str| value[name].as_str().unwrap().to_string();
        Parameter {
            name: text("name"),
            place: text("in"),
            is_required: value["required"] == true,
            schema: TextSchema::new(&value["schema"]),
            example: match &value["example"] {
                Value::Null => None,
                Value::String(text) => Some(text.clone()),
                other => Some(other.to_string()),
            },
        }
    }
}

impl Body {
    fn new(value: &Value) -> Body {
        let schema = validator(&value["content"]["application/json"]["schema"]);
        Body { is_required: value["required"] == true, schema }
    }

    fn complaints(&self, ask: &Ask) -> Vec<String> {
        let bytes = ask.body.as_deref().unwrap_or_default();
        let media_type = header(&ask.headers, "content-type").map(|name| essence(&name));
        match serde_json::from_slice::<Value>(bytes) {
            _ if bytes.is_empty() && !self.is_required => Vec::new(),
            Ok(_) if media_type.as_deref() != Some("application/json") => vec![format!("the body is {media_type:?}")],
            Ok(body) => complaints(&self.schema, "the body", &body),
            Err(error) => vec![error.to_string()],
        }
    }
}

impl Described {
    fn new(value: &Value) -> Described {
        let schema = |(name, header): (&str, &Value)| {
            assert_eq!(header["required"], true, "{name}");
            (name.to_string(), TextSchema::new(&header["schema"]))
        };
        let content = |(name, content): (&str, &Value)| (name.to_string(), validator(&content["schema"]));
        Described {
            headers: members(&value["headers"]).map(schema).collect(),
            content: members(&value["content"]).map(content).collect(),
        }
    }

    /// Why an answer is not of this description.
    fn complaints(&self, ask: &Ask, answer: &Answer) -> Vec<String> {
        let mut found = Vec::new();
        for (name, schema) in &self.headers {
            match header(&answer.headers, name) {
                None => found.push(format!("there is no {name}")),
                Some(value) => found.extend(schema.complaints(name, &value)),
            }
        }
        let media_type = answer.header("content-type").map(essence);
        let schema = media_type.as_ref().and_then(|name| self.content.get(name));
        match (schema, media_type) {
            (None, None) if self.content.is_empty() && answer.body.is_empty() => {}
            (None, media_type) => found.push(format!("the body is {media_type:?}")),
            (Some(_), _) if ask.method == Method::HEAD => {}
            (Some(schema), Some(name)) if name.ends_with("json") => {
                found.extend(complaints(schema, "the body", &answer.json()));
            }
            (Some(schema), Some(name)) if name.ends_with("yaml") => {
                found.extend(complaints(schema, "the body", &yaml_serde::from_str(&answer.text()).unwrap()));
            }
            (Some(schema), _) => found.extend(complaints(schema, "the body", &json!(answer.text()))),
        }
        found
    }
}

impl TextSchema {
    fn new(schema: &Value) -> TextSchema {
        TextSchema { is_number: schema["type"] == "integer", validator: validator(schema) }
    }

    fn complaints(&self, name: &str, text: &str) -> Vec<String> {
        let is_digits = text.strip_prefix('-').unwrap_or(text).bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse::<f64>().ok().filter(|_| self.is_number && is_digits);
        complaints(&self.validator, name, &number.map_or(json!(text), |number| json!(number)))
    }
}

/// Checks that an answer is one that the contract has for what was asked.
#[track_caller]
pub(crate) fn check_answer(ask: &Ask, answer: &Answer) {
    let about = || format!("{ask}\nwas answered {} {:?}\n{}", answer.status, answer.headers, answer.text());
    let here: Vec<&Operation> = OPERATIONS.iter().filter(|operation| operation.is_at(&ask.path)).collect();
    match operation(ask) {
        Some(operation) => {
            let described = operation.answers.get(&answer.status);
            let described = described.unwrap_or_else(|| panic!("the contract has no such status: {}", about()));
            let complaints = described.complaints(ask, answer);
            assert!(complaints.is_empty(), "{complaints:#?}: {}", about());
        }
        None if ANYWHERE.contains(&answer.status) => {}
        None if here.is_empty() => assert_eq!(answer.status, 404, "the contract has no such path: {}", about()),
        None => {
            let expected = if ask.method == Method::OPTIONS { 204 } else { 405 };
            assert_eq!(answer.status, expected, "the contract has no such method: {}", about());
            assert_eq!(allowed(answer), here.iter().map(|each| each.method.to_string()).collect::<Vec<_>>());
        }
    }
}

/// Checks that a request was refused if it is not one that the contract has.
#[track_caller]
pub(crate) fn check_request(ask: &Ask, answer: &Answer) {
    if let Some(operation) = operation(ask).filter(|_| answer.status < 400) {
        let complaints = operation.complaints(ask);
        assert!(complaints.is_empty(), "{ask}\nwas answered {} although {complaints:#?}", answer.status);
    }
}

/// Checks the data of an event of a live stream, or another value, against the schema of that name.
#[track_caller]
pub(crate) fn check_event(kind: &str, data: &Value) {
    static SCHEMAS: LazyLock<BTreeMap<String, Validator>> = LazyLock::new(|| {
        let described = |(name, schema): (&str, &Value)| (name.to_string(), validator(schema));
        members(&DOCUMENT["components"]["schemas"]).map(described).collect()
    });
    let schema = SCHEMAS.get(kind).unwrap_or_else(|| panic!("the contract has no schema {kind}"));
    let complaints = complaints(schema, kind, data);
    assert!(complaints.is_empty(), "{complaints:#?}: {data}");
}

/// The operation that is asked for. A HEAD is a GET without a body.
fn operation(ask: &Ask) -> Option<&'static Operation> {
    let method = if ask.method == Method::HEAD { Method::GET } else { ask.method.clone() };
    OPERATIONS.iter().find(|operation| operation.method == method && operation.is_at(&ask.path))
}

/// The methods in `Allow` that are operations, sorted.
fn allowed(answer: &Answer) -> Vec<String> {
    let allow = header(&answer.headers, "allow").unwrap_or_default();
    let mut methods: Vec<String> = allow.split(',').map(|method| method.trim().to_string()).collect();
    methods.retain(|method| method != "HEAD" && method != "OPTIONS");
    methods.sort();
    methods
}

/// A validator of a schema of the contract.
pub(crate) fn validator(schema: &Value) -> Validator {
    assert!(!schema.is_null(), "there is no schema");
    let options = jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(true);
    options.build(schema).unwrap_or_else(|error| panic!("{error}: {schema}"))
}

/// Why a value is not of a schema.
pub(crate) fn complaints(schema: &Validator, name: &str, value: &Value) -> Vec<String> {
    schema.iter_errors(value).map(|error| format!("{name}{}: {error}", error.instance_path())).collect()
}

/// A value with what is referred to in the place of each reference; what stands beside one holds too.
fn resolved(value: &Value, document: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| resolved(item, document)).collect(),
        Value::Object(members) => {
            let beside = members.iter().filter(|(name, _)| *name != "$ref");
            let mut all: Map<String, Value> =
                beside.map(|(name, member)| (name.clone(), resolved(member, document))).collect();
            let Some(reference) = members.get("$ref") else { return Value::Object(all) };
            let pointer = reference.as_str().and_then(|reference| reference.strip_prefix('#')).unwrap();
            let target = document.pointer(pointer).unwrap_or_else(|| panic!("{reference} leads nowhere"));
            let target = resolved(target, document);
            if all.is_empty() {
                return target;
            }
            assert_eq!(all.insert("allOf".to_string(), json!([target])), None, "{reference}");
            Value::Object(all)
        }
        other => other.clone(),
    }
}

fn header(headers: &reqwest::header::HeaderMap, name: &str) -> Option<String> {
    let values: Vec<_> = headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
    (!values.is_empty()).then(|| values.join(", "))
}

/// A media type without its parameters.
fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The members of an object; none of what is none.
pub(crate) fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flatten().map(|(name, member)| (name.as_str(), member))
}

/// The items of a list; none of what is none.
pub(crate) fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
