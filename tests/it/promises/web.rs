//! Pages of the web.

use super::row::{
    Origin::{A, B, C},
    Subject, otherwise, shown,
};

/// The rows.
pub(super) const ROWS: &[Subject] = &[Subject(
    "web_fetch",
    &[
        shown(
            B,
            "Only http and https are fetched; any other scheme is refused before anything is sent.",
            &[
                "lib::tools::web::request::tests::what_is_no_page_of_the_web_is_refused_by_name",
                "it::tools::web::arguments_that_cannot_be_are_refused_by_number_before_anything_is_asked",
            ],
        ),
        shown(
            C,
            "A missing scheme means https, and one without its colon is mended.",
            &["lib::tools::web::request::tests::a_scheme_that_is_missing_or_broken_is_mended"],
        ),
        shown(
            B,
            "The answer opens with final_url, status_code, content_type and truncated, then a blank line.",
            &["it::tools::web::a_page_is_shown_as_markdown_below_what_the_server_said"],
        ),
        shown(
            B,
            "`raw` shows the source of a page.",
            &["it::tools::web::a_page_is_shown_as_markdown_below_what_the_server_said"],
        ),
        shown(
            B,
            "Text that is no HTML is shown as it is.",
            &[
                "it::tools::web::a_page_is_shown_as_markdown_below_what_the_server_said",
                "lib::tools::web::body::tests::a_page_without_a_kind_is_known_by_its_beginning",
            ],
        ),
        shown(
            B,
            "What is no text is refused by its kind, with `raw` too.",
            &["it::tools::web::b161_what_is_no_text_is_named_and_not_shown"],
        ),
        otherwise(
            B,
            "A page without a content type is taken for bytes and refused.",
            "Its beginning tells what it is, as in every browser.",
        ),
        shown(
            C,
            "Without a content type the beginning of a page tells what it is.",
            &["lib::tools::web::body::tests::a_page_without_a_kind_is_known_by_its_beginning"],
        ),
        shown(
            B,
            "A status of 400 and more comes back with the text of its body.",
            &["it::tools::web::a_page_is_shown_as_markdown_below_what_the_server_said"],
        ),
        otherwise(
            C,
            "A status of 300 and more is a failure.",
            "What a server says beside a status is often the reason, so the text is shown; saving it is refused.",
        ),
        shown(
            B,
            "At most ten redirects are followed.",
            &["lib::tools::web::fetch::tests::more_than_ten_redirects_are_not_followed"],
        ),
        otherwise(
            B,
            "The first address is judged, its query included, and redirects are not.",
            "Every address on the way is judged before a byte is sent to it: a page must not lead into this machine.",
        ),
        shown(
            A,
            "Addresses of this machine and of private networks stay closed, at every hop.",
            &[
                "lib::tools::web::fetch::tests::b113_local_addresses_are_refused_at_every_hop_before_a_byte_is_sent",
                "it::engine::web::b113_only_what_a_rule_names_is_reached_here_by_redirects_too",
            ],
        ),
        otherwise(
            B,
            "Without a rule for it the tool is not offered.",
            "It reads, so level `read` has it; where the network is `none` every call is refused with the reason.",
        ),
        otherwise(
            B,
            "Proxies of the environment are used.",
            "The address that was judged is the one that is connected to; a proxy would choose another.",
        ),
        otherwise(
            B,
            "The time limit in all is 30 s.",
            "It is a minute, since a slow page that comes is of more use than none; silence ends it much sooner.",
        ),
        shown(
            B,
            "A fetch has a time limit in all, and silence has one of its own.",
            &["lib::tools::web::fetch::tests::b161_what_breaks_off_or_never_comes_fails_by_name"],
        ),
        shown(
            B,
            "A body is read up to a bound; what is longer comes as its beginning with truncated: true.",
            &[
                "lib::tools::web::fetch::tests::b161_a_body_without_an_end_stops_at_the_bound",
                "lib::tools::web::fetch::tests::what_a_body_becomes_is_bounded_not_what_is_sent",
            ],
        ),
        otherwise(
            C,
            "Pages above 5 MiB are refused.",
            "The beginning of a long page is of use, so it is shown, with truncated: true.",
        ),
        shown(
            B,
            "A long page stays kept whole and is read on from there.",
            &["it::tools::web::a_long_page_is_cut_and_kept_whole"],
        ),
        shown(
            B,
            "A failure has a word: invalid_url, redirect, timeout, transport, unsupported_content_type and others.",
            &[
                "lib::tools::web::fetch::tests::b161_what_breaks_off_or_never_comes_fails_by_name",
                "it::tools::web::arguments_that_cannot_be_are_refused_by_number_before_anything_is_asked",
                "it::tools::web::b161_what_is_no_text_is_named_and_not_shown",
            ],
        ),
        shown(
            C,
            "A failure has a number too: 1 conversion, 2 input, 3 usage.",
            &[
                "it::tools::web::arguments_that_cannot_be_are_refused_by_number_before_anything_is_asked",
                "it::tools::web::b161_what_is_no_text_is_named_and_not_shown",
            ],
        ),
        shown(
            C,
            "Requests say which program they come from.",
            &[
                "lib::tools::web::fetch::tests::a_page_comes_with_its_last_address_and_headers_stay_with_the_first_host",
            ],
        ),
        shown(
            C,
            "`robots.txt` is asked first, before redirects too, and remembered.",
            &["lib::tools::web::fetch::tests::robots_txt_is_asked_first_and_remembered"],
        ),
        shown(
            C,
            "A group of `robots.txt` that names the program goes before the one for all.",
            &["lib::tools::web::robots::tests::a_group_that_names_us_goes_before_the_one_for_all"],
        ),
        shown(
            C,
            "The longest pattern of `robots.txt` decides, and on a tie what allows.",
            &["lib::tools::web::robots::tests::the_longest_pattern_decides_and_allow_wins_a_tie"],
        ),
        shown(
            C,
            "A missing `robots.txt` allows everything; one that the server cannot give forbids everything.",
            &[
                "lib::tools::web::fetch::tests::a_page_comes_with_its_last_address_and_headers_stay_with_the_first_host",
                "lib::tools::web::fetch::tests::robots_txt_is_asked_first_and_remembered",
            ],
        ),
        shown(
            C,
            "The charset comes from the mark, the header, the page or the bytes, in this order.",
            &[
                "lib::tools::web::body::tests::the_charset_is_taken_from_mark_header_page_and_bytes_in_this_order",
            ],
        ),
        shown(
            C,
            "An unknown charset is passed over.",
            &[
                "lib::tools::web::body::tests::the_charset_is_taken_from_mark_header_page_and_bytes_in_this_order",
            ],
        ),
        shown(
            C,
            "Scripts, navigation, forms, hidden parts and what is named like advertising are left out.",
            &["lib::tools::web::markdown::convert::tests::what_is_not_content_is_left_out"],
        ),
        shown(
            C,
            "A part that is left out by its name stays when it holds the main part, an article or a title.",
            &["lib::tools::web::markdown::convert::tests::what_is_not_content_is_left_out"],
        ),
        shown(
            C,
            "Of attributes only those stay that say where to, what it is, or how a table spans.",
            &[
                "lib::tools::web::markdown::convert::tests::tables_are_simple_or_stay_html_or_are_flattened",
                "lib::tools::web::markdown::convert::tests::lines_are_written_as_markdown",
            ],
        ),
        shown(
            C,
            "Headings, paragraphs, lists, quotes, code and rules become Markdown.",
            &["lib::tools::web::markdown::convert::tests::blocks_are_written_as_markdown"],
        ),
        shown(
            C,
            "A fence is longer than any run of backticks inside and names its language.",
            &["lib::tools::web::markdown::convert::tests::blocks_are_written_as_markdown"],
        ),
        shown(
            C,
            "Bold, italic, code, links and images become Markdown.",
            &["lib::tools::web::markdown::convert::tests::lines_are_written_as_markdown"],
        ),
        shown(
            C,
            "A link without text shows its address, and one to a script its text only.",
            &["lib::tools::web::markdown::convert::tests::lines_are_written_as_markdown"],
        ),
        shown(
            C,
            "An image that is in the page itself shows its description only.",
            &["lib::tools::web::markdown::convert::tests::lines_are_written_as_markdown"],
        ),
        shown(
            C,
            "Relative links belong to the page's last address, or to `base_url`, which is absolute.",
            &[
                "lib::tools::web::markdown::convert::tests::lines_are_written_as_markdown",
                "it::tools::web::a_page_is_shown_as_markdown_below_what_the_server_said",
                "it::tools::web::arguments_that_cannot_be_are_refused_by_number_before_anything_is_asked",
            ],
        ),
        shown(
            C,
            "Simple tables become Markdown, their first row the header.",
            &[
                "lib::tools::web::markdown::convert::tests::tables_are_simple_or_stay_html_or_are_flattened",
            ],
        ),
        shown(
            C,
            "Tables with cells that span others stay HTML, or `tables` = flatten repeats the cells.",
            &[
                "lib::tools::web::markdown::convert::tests::tables_are_simple_or_stay_html_or_are_flattened",
            ],
        ),
        shown(
            C,
            "An unknown word for `tables` is refused.",
            &[
                "it::tools::web::arguments_that_cannot_be_are_refused_by_number_before_anything_is_asked",
            ],
        ),
        shown(
            C,
            "`strikethrough` marks struck text; without it the text stands plain.",
            &["lib::tools::web::markdown::convert::tests::lines_are_written_as_markdown"],
        ),
        shown(
            C,
            "`task_list` shows the boxes of a list; without it they are dropped.",
            &["lib::tools::web::markdown::convert::tests::lines_are_written_as_markdown"],
        ),
        shown(
            C,
            "Letters that Markdown would read as marks get a backslash.",
            &["lib::tools::web::markdown::convert::tests::text_means_itself"],
        ),
        shown(
            C,
            "Unknown elements lose their tags and keep their text; empty ones leave no line.",
            &["lib::tools::web::markdown::convert::tests::blocks_are_written_as_markdown"],
        ),
        shown(
            C,
            "Broken HTML is mended as a browser does.",
            &[
                "lib::tools::web::markdown::convert::tests::blocks_are_written_as_markdown",
                "lib::tools::web::markdown::convert::tests::deep_nesting_is_flattened_and_tangles_are_stopped",
            ],
        ),
        shown(
            C,
            "Markdown ends with exactly one line end.",
            &[
                "lib::tools::web::markdown::convert::tests::any_page_is_written_without_control_characters",
            ],
        ),
        shown(
            C,
            "`output` saves the page to a file instead, folders made, and says how much was saved.",
            &[
                "it::tools::web::a_page_is_saved_by_the_gate_of_every_write",
                "lib::workspace::gate::tests::a_new_file_gets_its_folders_and_leaves_nothing_beside_it",
            ],
        ),
        shown(
            C,
            "Saving is judged and asked about as every write; fetching alone writes nothing.",
            &[
                "it::tools::web::a_fetch_reads_the_network_and_one_that_saves_writes",
                "it::tools::web::a_page_is_saved_by_the_gate_of_every_write",
            ],
        ),
        shown(
            C,
            "A page with no text left says so and makes no file.",
            &[
                "it::tools::web::b161_what_is_no_text_is_named_and_not_shown",
                "it::tools::web::a_page_is_saved_by_the_gate_of_every_write",
            ],
        ),
        shown(
            A,
            "`headers` is an object of texts, and none of them stands for a person.",
            &[
                "lib::tools::web::request::tests::headers_that_stand_for_a_person_are_refused",
                "it::tools::web::arguments_that_cannot_be_are_refused_by_number_before_anything_is_asked",
            ],
        ),
        shown(
            A,
            "`limit` bounds what is shown, and `regex` shows the lines that match.",
            &["it::tools::web::a_long_page_is_cut_and_kept_whole"],
        ),
        shown(
            A,
            "An image comes as a picture to a model that takes images.",
            &["it::tools::web::a_whole_image_is_shown_to_a_model_that_takes_images"],
        ),
        shown(
            A,
            "It needs level `read`.",
            &["it::cli::tools::the_list_says_what_each_tool_needs_at_the_least"],
        ),
        shown(
            C,
            "Stopping a turn ends the fetch.",
            &["it::tools::web::b161_a_call_ends_when_it_is_cancelled"],
        ),
    ],
)];
