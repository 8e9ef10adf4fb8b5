//! Taking a model out of a server's memory: Ollama, llama.cpp as a router and with one model, and others.
//!
//! The answers of a llama-server with one model are those of a real one; those of Ollama and of the router are shaped
//! as their documentation and source say.

use quarterdeck::{
    domain::model_info::Unloaded,
    providers::{account::Account, keys::secret::Secret, registry, scripted::Gate},
};
use serde_json::{Value, json};

use crate::support::{
    chat::{BACKEND, provider},
    server::{Reply, Server},
};

/// What came of it, and what the server was asked: method, path and body.
async fn unload(server: &Server, model: &str) -> (Unloaded, Vec<(String, Value)>) {
    let provider = provider(&server.url());
    let unloading = provider.unload(model).expect("a server of one's own");
    let unloaded = unloading.await;
    let asked = server.asked_beside().into_iter();
    let asked = asked.map(|asked| (format!("{} {}", asked.method, asked.path), asked.body));
    (unloaded, asked.collect())
}

fn failed(why: &str) -> Unloaded {
    Unloaded::Failed(why.to_owned())
}

fn get(path: &str) -> (String, Value) {
    (format!("GET {path}"), Value::Null)
}

fn post(path: &str, body: Value) -> (String, Value) {
    (format!("POST {path}"), body)
}

/// An Ollama that holds this model.
async fn ollama(loaded: &str) -> Server {
    let server = Server::start().await;
    let model = json!({
        "name": loaded,
        "model": loaded,
        "size": 5_137_025_024_u64,
        "digest": "2ae6f6dd7a3dd734790bbbf58b8909a606e0e7e97e94b7604e0aa7ae4490e6d8",
        "details": {"parent_model": "", "format": "gguf", "family": "llama", "parameter_size": "7.2B"},
        "expires_at": "2026-06-04T14:38:31.83753-07:00",
        "size_vram": 5_137_025_024_u64,
    });
    server.beside("GET /api/ps", Reply::json(200, &json!({"models": [model]})));
    server
}

fn order(model: &str) -> (String, Value) {
    post("/api/generate", json!({"model": model, "keep_alive": 0}))
}

#[tokio::test]
async fn ollama_unloads_what_it_holds_and_is_not_asked_for_anything_else() {
    let unloads = json!({
        "model": "mistral", "created_at": "2026-06-04T14:33:31Z", "response": "", "done": true, "done_reason": "unload",
    });
    for (name, loaded) in [
        ("mistral", "mistral:latest"),
        ("mistral:latest", "mistral:latest"),
        ("mistral:7b", "mistral:7b"),
    ] {
        let server = ollama(loaded).await;
        server.beside("POST /api/generate", Reply::json(200, &unloads));
        assert_eq!(
            unload(&server, name).await,
            (Unloaded::Done, vec![get("/api/ps"), order(name)])
        );
    }
    // Asking for it would load it first.
    for name in ["mistral:7b", "mistral-small", "mist"] {
        let server = ollama("mistral:latest").await;
        assert_eq!(
            unload(&server, name).await,
            (Unloaded::NotLoaded, vec![get("/api/ps")])
        );
    }
}

#[tokio::test]
async fn what_ollama_does_not_confirm_has_failed_in_its_words() {
    for (status, body, why) in [
        (
            200,
            json!({"model": "m", "response": "", "done": true, "done_reason": "load"}),
            "the server did not confirm it",
        ),
        (
            404,
            json!({"error": "model 'm' not found"}),
            "the server answered 404: model 'm' not found",
        ),
        (500, Value::Null, "the server answered 500"),
    ] {
        let server = ollama("m:latest").await;
        server.beside("POST /api/generate", Reply::json(status, &body));
        let (unloaded, _) = unload(&server, "m").await;
        assert_eq!(unloaded, failed(why));
    }
}

/// An answer of llama-server.
fn llama(status: u16, body: &Value) -> Reply {
    Reply::json(status, body).header("Server", "llama.cpp")
}

fn llama_error(code: u16, kind: &str, message: &str) -> Reply {
    let error = json!({"error": {"message": message, "type": kind, "code": code}});
    llama(code, &error)
}

#[tokio::test]
async fn llama_cpp_as_a_router_unloads() {
    let refused = |message: &str| llama_error(400, "invalid_request_error", message);
    for (reply, expected) in [
        (llama(200, &json!({"success": true})), Unloaded::Done),
        (refused("model is not running"), Unloaded::NotLoaded),
        (
            refused("model is not found"),
            failed("the server answered 400: model is not found"),
        ),
        (
            llama(200, &json!({"success": false})),
            failed("the server did not confirm it"),
        ),
    ] {
        let server = Server::start().await;
        server
            .beside(
                "GET /api/ps",
                llama_error(404, "not_found_error", "File Not Found"),
            )
            .beside("POST /models/unload", reply);
        assert_eq!(
            unload(&server, "qwen3").await,
            (
                expected,
                vec![
                    get("/api/ps"),
                    post("/models/unload", json!({"model": "qwen3"}))
                ]
            )
        );
    }
}

#[tokio::test]
async fn a_server_that_cannot_says_what_to_do_instead() {
    let one_model = "this llama-server holds one model as long as it runs. Start it without a model, as a router, or \
                     with --sleep-idle-seconds N, or stop it";
    let not_found = || llama_error(404, "not_found_error", "File Not Found");
    let server = Server::start().await;
    server
        .beside("GET /api/ps", not_found())
        .beside("POST /models/unload", not_found());
    assert_eq!(unload(&server, "m").await.0, failed(one_model));

    let server = Server::start().await;
    let place = server.url().replace("/v1", "/");
    let nothing = failed(&format!("{place} knows no way to unload a model"));
    assert_eq!(unload(&server, "m").await.0, nothing);

    // Some answer 200 to whatever they do not know.
    let server = Server::start().await;
    let unexpected = || Reply::json(200, &json!({"error": "Unexpected endpoint or method."}));
    server
        .beside("GET /api/ps", unexpected())
        .beside("POST /models/unload", unexpected());
    let told = "the server answered 200: Unexpected endpoint or method.";
    assert_eq!(unload(&server, "m").await.0, failed(told));
}

#[tokio::test]
async fn the_key_goes_along_and_never_comes_back() {
    let server = Server::start().await;
    let refusal = json!({"error": {"message": "Invalid API Key sk-secret"}});
    server.beside("GET /api/ps", llama(401, &refusal));
    let account = Account::new("own", BACKEND, server.url()).with_key(Secret::new("sk-secret"), "");
    let provider = registry::build_renewing(
        &account,
        std::sync::Arc::new({
            let account = account.clone();
            move || Ok(account.clone())
        }),
    )
    .unwrap();

    let unloaded = provider.unload("m").expect("a server of one's own").await;

    let asked = server.asked_beside();
    assert_eq!(asked[0].header("authorization"), Some("Bearer sk-secret"));
    assert_eq!(asked.len(), 1, "{asked:?}");
    let Unloaded::Failed(why) = unloaded else {
        panic!("{unloaded:?}");
    };
    assert!(why.starts_with("the server answered 401: "), "{why}");
    assert!(!why.contains("sk-secret"), "{why}");
}

#[tokio::test]
async fn a_server_that_is_gone_is_named() {
    let server = Server::start().await;
    let provider = provider(&server.url());
    let place = server.url().replace("/v1", "/");
    drop(server);

    let unloaded = provider.unload("m").expect("a server of one's own").await;

    let Unloaded::Failed(why) = unloaded else {
        panic!("{unloaded:?}");
    };
    assert!(
        why.starts_with(&format!("{place} cannot be reached: ")),
        "{why}"
    );
}

#[tokio::test]
async fn dropping_the_wait_closes_the_connection() {
    let server = Server::start().await;
    let never = Gate::new();
    let silent = Reply::stream().hold(&never);
    server.beside("GET /api/ps", silent);
    let provider = provider(&server.url());
    let unloading = provider.unload("m").expect("a server of one's own");

    tokio::select! {
        unloaded = unloading => panic!("{unloaded:?}"),
        () = never.reached() => {}
    }

    server.abandoned(1).await;
}

#[test]
fn a_server_of_others_is_never_asked() {
    for base_url in ["https://api.openai.com/v1", "https://203.0.113.7/v1"] {
        assert!(provider(base_url).unload("m").is_none(), "{base_url}");
        assert!(!registry::may_unload(BACKEND, base_url));
    }
    let practice = registry::build(&Account::new("practice", "practice", "")).unwrap();
    assert!(practice.unload("m").is_none());
    assert!(!registry::may_unload("practice", "http://127.0.0.1/"));
    assert!(registry::may_unload(BACKEND, "http://127.0.0.1:11434/v1"));
}
