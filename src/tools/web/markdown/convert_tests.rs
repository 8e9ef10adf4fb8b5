use proptest::prelude::*;

use super::*;

fn written(html: &str, change: impl FnOnce(&mut Options)) -> String {
    let mut options = Options {
        base: Url::parse("https://example.org/docs/page").ok(),
        ..Options::default()
    };
    change(&mut options);
    convert(html, &options, &|| false).unwrap()
}

fn plain(html: &str) -> String {
    written(html, |_| {})
}

#[test]
fn blocks_are_written_as_markdown() {
    for (html, expected) in [
        ("<h1>A  <b>b</b></h1><h3>C</h3>", "# A **b**\n\n### C\n"),
        ("<p>one\n two</p><p>three</p>", "one two\n\nthree\n"),
        ("<div>a<div>b</div>c</div>", "a\n\nb\n\nc\n"),
        ("<p>a<br>b<br></p>", "a\\\nb\n"),
        ("a<hr>b", "a\n\n---\n\nb\n"),
        ("<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b\n"),
        (
            "<ul><li>a<li>b<ul><li>c</ul><li>d</ul>",
            "- a\n- b\n  - c\n- d\n",
        ),
        (
            "<ol start=9><li>a<li>b<p>c</ol>",
            "9. a\n\n10. b\n\n    c\n",
        ),
        ("<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b\n"),
        (
            "<pre><code class='x language-rust'>fn a() {\n    `b`\n}\n</code></pre>",
            "```rust\nfn a() {\n    `b`\n}\n```\n",
        ),
        ("<pre>```</pre>", "````\n```\n````\n"),
        ("<x-card><p>a</p></x-card>", "a\n"),
        ("<p></p><ul><li></ul><h2> </h2>", ""),
        ("<p>a<p><div>b", "a\n\nb\n"),
    ] {
        assert_eq!(plain(html), expected, "{html}");
    }
}

#[test]
fn lines_are_written_as_markdown() {
    for (html, expected) in [
        ("a <b> b </b>c<i>d</i>", "a **b** c*d*\n"),
        (
            "<code>a `b`</code> <kbd>x</kbd>",
            "``  a `b` `` `x`\n".replacen("``  a", "`` a", 1).as_str(),
        ),
        (
            "<a href='../x?a=1'>go <b>on</b></a>",
            "[go **on**](https://example.org/x?a=1)\n",
        ),
        (
            "<a href='/a_(b)'>x</a>",
            "[x](<https://example.org/a_(b)>)\n",
        ),
        ("<a href='https://a.example/'></a>", "https://a.example/\n"),
        ("<a href='javascript:x()'>x</a>", "x\n"),
        ("<h2>T<a href='#t'></a></h2>", "## T\n"),
        (
            "<img src=a.png alt='A [b]'>",
            "![A \\[b\\]](https://example.org/docs/a.png)\n",
        ),
        ("<img src='data:image/png;base64,AAAA' alt=dot>", "dot\n"),
        ("<s>old</s> new", "old new\n"),
        ("<span><span>deep</span></span>", "deep\n"),
    ] {
        assert_eq!(plain(html), expected, "{html}");
    }
    assert_eq!(
        written("<s>old</s> new", |options| options.strikethrough = true),
        "~~old~~ new\n"
    );
    let tasks = "<ul><li><input type=checkbox checked> a<li><input type=checkbox>b<li>c</ul>";
    assert_eq!(plain(tasks), "- a\n- b\n- c\n");
    assert_eq!(
        written(tasks, |options| options.task_list = true),
        "- [x] a\n- [ ] b\n- c\n"
    );
}

#[test]
fn text_means_itself() {
    for (text, expected) in [
        (
            "*a* `b` [c] &lt;d&gt; \\",
            "\\*a\\* \\`b\\` \\[c\\] \\<d> \\\\\n",
        ),
        ("snake_case _x_", "snake_case \\_x\\_\n"),
        ("# a", "\\# a\n"),
        ("1. a", "1\\. a\n"),
        ("- a<br>+ b", "\\- a\\\n\\+ b\n"),
        ("| a", "\\| a\n"),
        ("1 - 2", "1 - 2\n"),
    ] {
        assert_eq!(plain(&format!("<p>{text}</p>")), expected, "{text}");
    }
}

#[test]
fn tables_are_simple_or_stay_html_or_are_flattened() {
    let simple = "<table><caption>Cap</caption><thead><tr><th>A<th>B</thead>\
                  <tr><td>1|2<td>x<br>y<tr><td>3</table>";
    assert_eq!(
        plain(simple),
        "Cap\n\n| A | B |\n| --- | --- |\n| 1\\|2 | x<br>y |\n| 3 |  |\n"
    );
    let spans = "<table class=x><tr><th colspan=2>A<tr><td rowspan=2>1<td>2<tr><td>3</table>";
    assert_eq!(
        plain(spans),
        "<table><tbody><tr><th colspan=\"2\">A</th></tr>\n<tr><td rowspan=\"2\">1</td><td>2</td></tr>\n\
         <tr><td>3</td></tr>\n</tbody>\n</table>\n"
    );
    assert_eq!(
        written(spans, |options| options.tables = Tables::Flatten),
        "| A | A |\n| --- | --- |\n| 1 | 2 |\n| 1 | 3 |\n"
    );
}

#[test]
fn what_is_not_content_is_left_out() {
    for html in [
        "<script>x</script><style>x</style><noscript>x</noscript><template>x</template>",
        "<nav>x</nav><aside>x</aside><footer>x</footer><button>x</button><svg><text>x</text></svg>",
        "<div role=navigation>x</div><div aria-hidden=true>x</div><div hidden>x</div><!-- x -->",
        "<div class='cookie-banner'>x</div><div id=sidebar>x</div><span class=sr-only>x</span>",
        "<select><option>x</select><textarea>x</textarea><title>x</title><input value=x>",
    ] {
        assert_eq!(
            plain(&format!("{html}<p>left over</p>")),
            "left over\n",
            "{html}"
        );
    }
    for (html, expected) in [
        ("<article><footer>kept</footer></article>", "kept\n"),
        ("<div class=menu><h1>Title</h1></div>", "# Title\n"),
        ("<body class=nav-open><p>a</body>", "a\n"),
        (
            "<div class=has-sidebar><p>most of the page</div><p>x",
            "most of the page\n\nx\n",
        ),
    ] {
        assert_eq!(plain(html), expected, "{html}");
    }
}

#[test]
fn nothing_of_a_page_moves_a_terminal() {
    let html = "<p>a\u{1b}[31mb\u{202e}c\u{200b}d&#27;[0m</p><pre>x\u{7}y</pre>";

    assert_eq!(plain(html), "abcd\n\n```\nxy\n```\n");
}

#[test]
fn deep_nesting_is_flattened_and_tangles_are_stopped() {
    for tag in [
        "div",
        "b",
        "blockquote",
        "ul><li",
        "table><tr><td",
        "x-y",
        "a href=/",
    ] {
        let deep = format!("{}end", format!("<{tag}>").repeat(3000));
        assert!(plain(&deep).contains("end"), "{tag}");
    }
    let calls = std::cell::Cell::new(0);
    let stop = || {
        calls.set(calls.get() + 1);
        calls.get() > 2
    };
    assert_eq!(
        convert(&"<p>".repeat(10_000), &Options::default(), &stop),
        None
    );
}

/// Pieces of pages in any order.
fn pages() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "<p>",
            "</p>",
            "<ul>",
            "<li>",
            "</ul>",
            "<ol start=7>",
            "<table>",
            "<tr>",
            "<td>",
            "</table>",
            "<td colspan=9999 rowspan=99>",
            "<b>",
            "</b>",
            "<i>",
            "</a>",
            "<a href='/x(y'>",
            "<pre>",
            "</pre>",
            "<code>",
            "<br>",
            "<hr>",
            "<blockquote>",
            "<h2>",
            "<img src=x alt='*'>",
            "<input type=checkbox>",
            "<svg>",
            "<math>",
            "<template>",
            "<select>",
            "<frameset>",
            "<!--",
            "-->",
            "<![CDATA[",
            "&#0;",
            "&#x1b;",
            "<div class=ad>",
            "</div>",
            "<script>",
            "</script>",
            "<plaintext>",
            "<caption>",
            "\u{1b}]0;x\u{7}",
        ])
        .prop_map(str::to_owned),
        "\\PC{0,6}",
        "[a-z *_`#|\n\\\\-]{0,8}",
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_page_is_written_without_control_characters(html in pages(), flatten: bool, task_list: bool) {
        let markdown = written(&html, |options| {
            options.tables = if flatten { Tables::Flatten } else { Tables::Html };
            options.task_list = task_list;
        });
        let bad = markdown.chars().find(|c| c.is_control() && *c != '\n' && *c != '\t');
        prop_assert_eq!(bad, None);
        prop_assert!(markdown.is_empty() || markdown.ends_with('\n') && !markdown.ends_with("\n\n"));
    }
}
