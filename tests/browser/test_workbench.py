"""The workbench in a real browser: every feature, and attacks on it.

Needs the same as test_report.py; SUPPOSE_BIN names the program, or else cargo builds it.
"""

import http.server
import json
import pathlib
import re
import signal
import subprocess
import threading

import pytest
from playwright.sync_api import expect

from conftest import ROOT

CHANNEL = (ROOT / "examples/fsp/channel/channel.lts").read_text()

WRONG = """Input = (input -> send -> Input).
Output = (send -> output -> Output).
property Order = (input -> output -> Order).
||SYS = (Input || Output || Order).
"""

LOOP = """byte n;
active proctype P() {
  do
  :: n == 0 -> n = 1
  :: n == 1 -> n = 2
  :: n == 2 -> n = 1
  od
}
ltl back { [] (n == 1 -> <> (n == 0)) }
"""

SMV = """MODULE main
VAR
  n : 0..3;
  up : boolean;
ASSIGN
  init(n) := 0;
  next(n) := case up & n < 3 : n + 1; TRUE : n; esac;
INVARSPEC NAME low := n < 3
"""

# Twelve counters with ten values each: nobody waits until all of it is explored.
ENDLESS = """CELL = COUNT[0], COUNT[i:0..9] = (when (i < 9) up -> COUNT[i + 1] | when (i > 0) down -> COUNT[i - 1]).
||SYS = (forall [i:1..12] c[i]:CELL).
"""


class Serving:
    def __init__(self, program, *arguments):
        command = [program, "serve", *map(str, arguments)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://127.0.0.1:"), self.url
        self.origin, self.token = self.url.split("/#")

    def end(self):
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(20) == 0
        self.process.stdout.close()


@pytest.fixture(scope="session")
def serving(suppose):
    serving = Serving(suppose)
    yield serving
    serving.end()


class Bench:
    """A page of the workbench, with all that it complained about or asked for."""

    def __init__(self, browser, url, **options):
        self.complaints, self.requests = [], []
        options.setdefault("viewport", {"width": 1440, "height": 900})
        self.context = browser.new_context(accept_downloads=True, **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        expect.set_options(timeout=60_000)
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.complaints.append("dialog"), dialog.accept()))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.add_init_script(
            "addEventListener('securitypolicyviolation', e => { (window.__violations ??= []).push(e.violatedDirective + ' ' + e.blockedURI); })"
        )
        self.url = url
        self.page.goto(url)
        self.page.wait_for_selector(".cm-content")

    def type(self, name, text):
        """Opens a new model of that language, and types the text."""
        kinds = {"lts": "FSP", "pml": "PROMELA", "smv": "SMV", "nm": "PRISM", "c": "C", "smt2": "Horn clauses"}
        self.page.get_by_role("button", name="+ New model").click()
        self.page.locator("dialog").get_by_role("button", name=kinds[name], exact=True).click()
        self.page.locator(".cm-content").fill(text)
        self.ready()

    def ready(self):
        expect(self.page.locator(".problems .hint")).to_contain_text("✓")

    def check(self):
        self.page.locator(".tab-check").click()
        before = self.page.locator("article.card:not(.running)").count()
        self.page.locator("#check").click()
        expect(self.page.locator("article.card:not(.running)")).to_have_count(before + 1)
        return self.page.locator("article.card:not(.running)").first

    def close(self):
        violations = self.page.evaluate("window.__violations ?? []")
        self.context.close()
        assert violations == []
        assert self.complaints == []
        origin = self.url.split("/#")[0]
        foreign = [u for u in self.requests if not u.startswith((origin, "blob:", "data:"))]
        assert foreign == []
        token = self.url.split("/#")[1]
        assert not any(token in u.split("#")[0] for u in self.requests)


@pytest.fixture
def bench(browser, serving):
    bench = Bench(browser, serving.url)
    yield bench
    bench.close()


def test_it_opens_with_an_example_in_colours(bench):
    page = bench.page
    expect(page.locator(".file-name")).to_have_text("channel.lts")
    expect(page.locator(".tok-keyword").first).to_be_visible()
    expect(page.locator(".chips .chip")).to_have_count(3)
    assert page.evaluate("getComputedStyle(document.querySelector('.cm-scroller')).fontFamily").startswith("ui-monospace")


@pytest.mark.parametrize("title", ["Peterson", "Mutual exclusion", "Die", "Counter", "McCarthy's function"])
def test_examples_of_every_language_open(bench, title):
    page = bench.page
    page.locator(".files .filter").fill(title)
    page.locator(".example").first.click()
    bench.ready()
    expect(page.locator(".tok-keyword").first).to_be_visible()
    expect(page.locator("header.top .badge")).to_be_visible()


def test_errors_appear_while_one_types(bench):
    page = bench.page
    bench.type("lts", WRONG)
    page.locator(".cm-content").fill("A = (a -> A).\n||SYS = (A || B).\n")
    expect(page.locator(".problem")).to_contain_text("B")
    expect(page.locator(".cm-lint-marker-error")).to_be_visible()
    expect(page.locator("#check")).to_be_disabled()
    page.locator(".cm-content").fill("A = (a -> A).\n")
    expect(page.locator(".problem")).to_have_count(0)
    expect(page.locator("#check")).to_be_enabled()


def test_several_lines_are_typed_over(bench):
    """Left to itself, Chromium would join lines with style attributes, which the policy forbids: close() looks for that."""
    page = bench.page
    bench.type("lts", WRONG)
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.type("x")
    expect(page.locator(".cm-line").first).to_have_text("xproperty Order = (input -> output -> Order).")
    page.keyboard.press("Control+z")
    expect(page.locator(".cm-line").first).to_have_text("Input = (input -> send -> Input).")
    page.keyboard.press("Control+a")
    page.keyboard.type("(")
    expect(page.locator(".cm-line").first).to_have_text("(Input = (input -> send -> Input).")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("P = STOP.\nQ = STOP.")
    expect(page.locator(".cm-line")).to_have_text(["P = STOP.", "Q = STOP."])


def test_definitions_are_found(bench):
    page = bench.page
    bench.type("lts", WRONG)
    page.locator(".cm-line", has_text="||SYS").get_by_text("Output", exact=True).click(modifiers=["Control"])
    expect(page.locator(".cm-activeLine")).to_contain_text("Output = (send")


def test_a_check_holds_with_a_certificate(bench, tmp_path):
    page = bench.page
    bench.ready()
    page.locator("select").first.select_option("agar")
    card = bench.check()
    expect(card.locator("[data-claim=Order]")).to_have_attribute("data-verdict", "holds")
    card.locator("[data-claim=Order]").get_by_role("button", name="Certificate").click()
    expect(page.locator(".premises li")).to_have_count(2)
    page.locator("#certify").click()
    expect(page.locator(".judgement h3")).to_have_text("Accepted")
    with page.expect_download() as got:
        page.get_by_role("button", name="Download the certificate").click()
    file = tmp_path / "channel.cert"
    got.value.save_as(file)
    assert file.stat().st_size > 100


def test_a_downloaded_certificate_is_accepted_by_the_command_line(bench, suppose, tmp_path):
    page = bench.page
    bench.type("lts", WRONG)
    bench.check()
    page.locator(".tab-certificate").click()
    with page.expect_download() as got:
        page.get_by_role("button", name="Download the certificate").click()
    got.value.save_as(tmp_path / "m.cert")
    (tmp_path / "untitled.lts").write_text(WRONG)
    ran = subprocess.run([suppose, "certify", "m.cert", "untitled.lts"], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 10, ran.stdout + ran.stderr


def test_properties_engines_and_history(bench):
    page = bench.page
    bench.ready()
    page.locator(".chip", has_text="Order").click()
    page.locator("select").nth(0).select_option("agar")
    page.locator("select").nth(1).select_option("monolithic")
    page.locator("#check").click()
    expect(page.locator("article.card:not(.running)")).to_have_count(2)
    titles = page.locator("article.card > header strong").all_inner_texts()
    assert titles == ["Check of Order by monolithic", "Check of Order by agar"]
    expect(page.locator("article.card .claim")).to_have_count(2)


def test_the_split_is_chosen(bench):
    page = bench.page
    bench.ready()
    page.locator(".chip", has_text="Order").click()
    page.locator("select").first.select_option("agar")
    page.get_by_label("Split").fill("Output/Input")
    card = bench.check()
    card.locator("[data-claim=Order]").get_by_role("button", name="Assumption").click()
    expect(page.locator(".assumption-head")).to_contain_text("proves the property of Output whatever else Input does")


def test_a_long_check_shows_progress_and_stops(bench):
    page = bench.page
    bench.type("lts", ENDLESS)
    page.locator("select").first.select_option("monolithic")
    page.locator("#check").click()
    expect(page.locator(".running .facts")).to_contain_text("states/s")
    page.locator(".running").get_by_role("button", name="Stop").click()
    expect(page.locator("article.card .claim").first).to_have_attribute("data-verdict", "unknown")


def test_a_counterexample_step_by_step(bench):
    page = bench.page
    bench.type("lts", WRONG)
    card = bench.check()
    card.get_by_role("button", name="Step through").first.click()
    expect(page.locator(".position")).to_have_text(re.compile(r"^0 / \d+$"))
    page.locator(".long-list").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".position")).to_have_text(re.compile(r"^1 / "))
    expect(page.locator(".step.now .step-label")).to_have_text("input")
    expect(page.locator(".step-side .change")).not_to_have_count(0)
    expect(page.locator(".leaf.changed")).not_to_have_count(0)
    expect(page.locator(".line-mentioned")).not_to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator(".step-side .ending")).to_contain_text("Order is violated")
    page.keyboard.press("Home")
    expect(page.locator(".step-side h3").first).to_have_text("Initial state")
    page.locator(".slider").fill("2")
    expect(page.locator(".position")).to_have_text(re.compile(r"^2 / "))
    page.get_by_role("button", name="Message chart").click()
    expect(page.locator("svg.chart .head")).to_have_count(3)
    expect(page.locator("svg.chart .row.now .number")).to_have_text("2")
    page.locator("svg.chart .row").first.click()
    expect(page.locator(".position")).to_have_text(re.compile(r"^1 / "))
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".step-side .ending")).to_be_visible()


def test_a_loop_is_shown_and_played(bench):
    page = bench.page
    bench.type("pml", LOOP)
    card = bench.check()
    card.locator("[data-claim=back]").get_by_role("button", name="Step through").click()
    expect(page.locator(".loop-note")).to_contain_text("repeat for ever")
    expect(page.locator(".step.in-loop")).not_to_have_count(0)
    page.locator(".long-list").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".line-now")).to_have_count(1)
    page.keyboard.press("End")
    last = page.locator(".position").inner_text()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press(" ")
    expect(page.locator(".position")).to_have_text(last)
    expect(page.locator(".position")).not_to_have_text(last)


def test_values_over_time(bench):
    page = bench.page
    bench.type("smv", SMV)
    card = bench.check()
    card.locator("[data-claim=low]").get_by_role("button", name="Step through").click()
    page.get_by_role("button", name="Timeline").click()
    expect(page.locator(".timeline tbody th", has_text="n").first).to_be_visible()
    page.locator(".timeline td").nth(2).click()
    expect(page.locator(".timeline td.now")).not_to_have_count(0)


@pytest.mark.parametrize("kind, text", [("lts", CHANNEL), ("pml", LOOP), ("smv", SMV)])
def test_the_simulator(bench, kind, text):
    page = bench.page
    bench.type(kind, text)
    page.locator(".tab-explore").click()
    page.get_by_role("button", name="Simulator").click()
    page.locator(".offer").first.click()
    expect(page.locator(".position")).to_have_text("1 / 1")
    page.get_by_role("button", name="Random step").click()
    expect(page.locator(".position")).to_have_text("2 / 2")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".position")).to_have_text("1 / 1")
    page.get_by_role("button", name="100 random").click()
    expect(page.locator(".position")).to_have_text("101 / 101")
    page.locator(".long-list").focus()
    page.keyboard.press("Home")
    expect(page.locator(".offers")).to_contain_text("You are looking back")
    page.get_by_role("button", name="Random step").click()
    expect(page.locator(".position")).to_have_text("1 / 1")
    with page.expect_download() as got:
        page.get_by_role("button", name="Save as a trace").click()
    trace = json.loads(pathlib.Path(got.value.path()).read_text())
    assert trace["schema"] == "suppose-simulation" and len(trace["steps"]) == 1


def test_the_simulator_of_a_probabilistic_model(bench):
    page = bench.page
    page.locator(".files .filter").fill("fair coins")
    page.locator(".example").first.click()
    bench.ready()
    page.locator(".tab-explore").click()
    page.get_by_role("button", name="Simulator").click()
    expect(page.locator(".offer.many b").first).to_have_text("1/2")
    page.locator(".offer.many button").first.click()
    expect(page.locator(".position")).to_have_text("1 / 1")


def test_the_simulator_goes_where_one_wants(bench):
    page = bench.page
    bench.type("smv", SMV)
    page.locator(".tab-explore").click()
    page.get_by_role("button", name="Simulator").click()
    page.get_by_label("Name of a value").fill("n")
    page.get_by_label("Value to reach").fill("3")
    page.get_by_role("button", name="Find").click()
    expect(page.locator(".position")).to_have_text("3 / 3")
    expect(page.locator(".leaf", has_text="n").first).to_contain_text("3")


def test_the_assumption_is_drawn(bench):
    page = bench.page
    bench.ready()
    page.locator("#assume").click()
    page.locator("article.card").get_by_role("button", name="See the assumption").click()
    expect(page.locator("svg.graph .node")).to_have_count(2)
    page.locator("svg.graph .node").first.click()
    expect(page.locator(".state-detail")).to_contain_text("reached by")
    page.get_by_label("Find in the automaton").fill("send")
    expect(page.locator("svg.graph .node.found")).to_have_count(1)
    before = page.locator("svg.graph").get_attribute("viewBox")
    page.get_by_role("button", name="Closer").click()
    assert page.locator("svg.graph").get_attribute("viewBox") != before
    page.get_by_role("button", name="Fit").click()
    assert page.locator("svg.graph").get_attribute("viewBox") == before


def test_a_file_is_saved_but_not_over_another_change(browser, suppose, tmp_path):
    (tmp_path / "a.lts").write_text(WRONG)
    (tmp_path / "b.lts").write_text(CHANNEL)
    serving = Serving(suppose, tmp_path)
    bench = Bench(browser, serving.url)
    page = bench.page
    page.locator(".file", has_text="a.lts").click()
    # What was open before may be ready too.
    expect(page.locator(".file-name")).to_have_text("a.lts")
    bench.ready()
    page.locator(".cm-content").fill("A = (a -> A).\n")
    page.locator("#save").click()
    expect(page.locator(".toast", has_text="saved")).to_be_visible()
    assert (tmp_path / "a.lts").read_text() == "A = (a -> A).\n"
    (tmp_path / "a.lts").write_text("B = (b -> B).\n")
    page.locator(".cm-content").fill("A = (c -> A).\n")
    page.keyboard.press("Control+s")
    expect(page.locator(".toast.bad")).to_contain_text("changed on the disk")
    assert (tmp_path / "a.lts").read_text() == "B = (b -> B).\n"
    bench.complaints = [c for c in bench.complaints if "409" not in c]
    bench.close()
    serving.end()


def test_what_is_not_saved_is_kept(bench):
    page = bench.page
    bench.type("lts", WRONG)
    bench.type("smv", SMV)
    expect(page.locator(".toast", has_text="untitled.lts")).to_be_visible()
    page.locator(".draft", has_text="untitled.lts").click()
    expect(page.locator(".file-name")).to_have_text("untitled.lts •")
    expect(page.locator(".cm-line").first).to_have_text(WRONG.split("\n")[0])
    expect(page.locator(".draft")).to_have_text(["untitled.smv"])


def test_jobs_end_with_the_page(browser, serving):
    bench = Bench(browser, serving.url)
    bench.type("lts", ENDLESS)
    bench.page.locator("select").first.select_option("monolithic")
    bench.page.locator("#check").click()
    expect(bench.page.locator(".running .facts")).to_contain_text("states/s")
    other = Bench(browser, serving.url)
    asking = "async (token) => (await (await fetch('/api/hello', { headers: { 'x-suppose-token': token } })).json()).running"
    assert other.page.evaluate(asking, serving.token) == 1
    bench.page.close()
    bench.context.close()
    for _ in range(120):
        if other.page.evaluate(asking, serving.token) == 0:
            break
        other.page.wait_for_timeout(250)
    assert other.page.evaluate(asking, serving.token) == 0
    other.close()


def test_names_never_act(bench):
    page = bench.page
    evil = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>'
    text = json.dumps(
        {
            "schema": "suppose-network", "schema_version": 1, "name": evil, "labels": [evil, "b"],
            "components": [{"name": evil, "states": 2, "initial": 0, "alphabet": [evil], "edges": [[0, evil, 1]]}],
        }
    )
    page.evaluate("document.title")
    page.locator(".cm-content").fill(text)
    bench.type("pml", 'init { printf("<img src=x onerror=window.hit=1>"); assert(false) }')
    card = bench.check()
    card.get_by_role("button", name="Step through").first.click()
    page.keyboard.press("End")
    page.locator(".long-list").focus()
    page.keyboard.press("End")
    page.get_by_role("button", name="Message chart").click()
    expect(page.locator(".step-label", has_text="<img").first).to_be_visible()
    assert page.evaluate("window.hit") is None
    assert page.locator("img[src=x]").count() == 0


def test_without_the_token_the_page_asks_for_it(browser, serving):
    context = browser.new_context()
    page = context.new_page()
    page.goto(serving.origin + "/")
    expect(page.get_by_label("Token")).to_be_visible()
    page.get_by_label("Token").fill("wrong")
    page.get_by_role("button", name="Open").click()
    expect(page.locator(".bad")).to_contain_text("token")
    page.get_by_label("Token").fill(serving.token)
    page.get_by_role("button", name="Open").click()
    expect(page.locator(".cm-content")).to_be_visible()
    context.close()


def test_another_site_gets_nothing(browser, serving):
    """A page of another origin that even knows the token can neither read nor send anything."""

    class Evil(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(b"<p>evil</p>")

        def log_message(self, *_):
            pass

    evil = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Evil)
    threading.Thread(target=evil.serve_forever, daemon=True).start()
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{evil.server_port}/")
    attempt = """async ([url, headers, mode]) => {
        try { const r = await fetch(url, { headers, mode, method: mode === 'no-cors' ? 'POST' : 'GET' }); return r.type === 'opaque' ? 'opaque' : await r.text(); }
        catch (e) { return 'refused'; }
    }"""
    token = {"x-suppose-token": serving.token}
    assert page.evaluate(attempt, [serving.origin + "/api/hello", token, "cors"]) == "refused"
    assert page.evaluate(attempt, [serving.origin + "/api/hello", {}, "cors"]) == "refused"
    assert page.evaluate(attempt, [serving.origin + "/workbench.js", {}, "cors"]) == "refused"
    frame = """(url) => new Promise(done => {
        const f = document.createElement('iframe'); f.src = url; f.onload = () => { try { done(String(f.contentDocument?.body?.innerText)); } catch { done('refused'); } };
        document.body.append(f); setTimeout(() => done('refused'), 3000);
    })"""
    assert page.evaluate(frame, serving.url) in ("refused", "null", "undefined", "")
    context.close()
    evil.shutdown()


def test_a_name_that_points_here_gets_nothing(suppose, launch):
    """DNS rebinding: the browser believes that evil.test is this machine."""
    serving = Serving(suppose)
    port = serving.origin.rsplit(":", 1)[1]
    browser = launch("--host-resolver-rules=MAP evil.test 127.0.0.1")
    page = browser.new_page()
    response = page.goto(f"http://evil.test:{port}/")
    assert response.status == 421
    browser.close()
    serving.end()


@pytest.mark.parametrize("width", [390, 800])
def test_a_narrow_screen(browser, serving, width):
    bench = Bench(browser, serving.url, viewport={"width": width, "height": 844})
    page = bench.page
    bench.ready()
    page.get_by_role("button", name="Results", exact=True).click()
    page.locator("#check").click()
    expect(page.locator("article.card .claim").first).to_be_visible()
    for tab in ["check", "explore", "assumption", "certificate"]:
        page.locator(f".tab-{tab}").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Models", exact=True).last.click()
    expect(page.locator(".files")).to_be_visible()
    bench.close()


def luminance(colour):
    parts = [int(p) / 255 for p in re.findall(r"\d+", colour)[:3]]
    parts = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(browser, serving, scheme):
    bench = Bench(browser, serving.url, color_scheme=scheme)
    bench.ready()
    bench.check()
    colours = """() => {
        const back = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\\)|transparent/.test(c)) return c; } return 'rgb(255,255,255)'; };
        return ['.hint', '.tab', '.chip', '.verdict', '.facts', '.tok-comment', '.tok-keyword', 'button.primary', '.badge', '.cm-gutterElement'].map(s => {
            const e = document.querySelector(s); return [s, getComputedStyle(e).color, back(e)]; });
    }"""
    for selector, ink, paper in bench.page.evaluate(colours):
        a, b = sorted([luminance(ink), luminance(paper)])
        assert (b + 0.05) / (a + 0.05) >= 4.4, (selector, ink, paper)
    bench.close()


def test_everything_has_a_name(bench):
    page = bench.page
    bench.ready()
    bench.check()
    unnamed = """() => [...document.querySelectorAll('button, input, select, textarea, [role=img], [role=listbox]')]
        .filter(e => !(e.textContent.trim() || e.ariaLabel || e.title || e.labels?.length)).map(e => e.outerHTML)"""
    for tab in ["check", "explore", "assumption", "certificate"]:
        page.locator(f".tab-{tab}").click()
        assert page.evaluate(unnamed) == []


def test_the_tour(bench):
    page = bench.page
    page.locator("#tour").click()
    seen = []
    for _ in range(12):
        seen.append(page.locator(".tour h2").inner_text())
        if page.locator(".tour").get_by_role("button", name="Done").count():
            break
        page.locator(".tour").get_by_role("button", name="Next").click()
    assert len(seen) >= 5 and len(set(seen)) == len(seen)
    page.locator(".tour").get_by_role("button", name="Done").click()
    expect(page.locator(".tour")).to_have_count(0)


def test_light_and_dark(bench):
    page = bench.page
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Light or dark").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before


def test_it_can_be_printed(bench):
    page = bench.page
    bench.ready()
    bench.check()
    page.emulate_media(media="print")
    expect(page.locator(".top")).to_be_hidden()
    expect(page.locator("article.card").first).to_be_visible()
