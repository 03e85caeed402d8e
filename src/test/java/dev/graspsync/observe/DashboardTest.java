package dev.graspsync.observe;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.not;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@QuarkusTest
class DashboardTest {

    private static final Path FOLDER = Path.of("src/main/resources/dashboard");

    @Test
    void aBrowserGetsThePageUnderAStrictPolicy() {
        Response page = page();

        page.then().statusCode(200).contentType("text/html").header("Vary", containsString("Accept"));
        assertThat(page.header("Content-Security-Policy"))
                .contains("default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'")
                .doesNotContain("unsafe", "http:", "https:", "*");
        assertThat(page.asString())
                .doesNotContain("{version}")
                .doesNotContainPattern("<script>|<style|style=|onclick=");
    }

    @Test
    void whatThePageNamesIsServedAndMayBeKeptForEver() {
        for (String file : named(page().asString())) {
            given().get("/" + file)
                    .then()
                    .statusCode(200)
                    .header("Cache-Control", containsString("immutable"))
                    .header("X-Content-Type-Options", "nosniff");
        }
    }

    @Test
    void everyFileOfTheFolderIsServed() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> !name.equals("index.html")))
                    .containsExactlyInAnyOrderElementsOf(Dashboard.NAMES);
        }
    }

    @Test
    void aFileOfAnotherVersionIsServedButNotToBeKept() {
        given().get("/dashboard/000000000000/app.js").then().statusCode(200).header("Cache-Control", "no-store");
    }

    @Test
    void whatIsNoFileOfTheDashboardIsNotFound() {
        given().get("/dashboard/000000000000/index.html").then().statusCode(404);
        given().urlEncodingEnabled(false)
                .get("/dashboard/x/..%2fapplication.properties")
                .then()
                .statusCode(404);
    }

    @Test
    void noScriptReadsTextAsHtmlOrAsksAnotherHost() throws IOException {
        for (String name : Dashboard.NAMES) {
            String text = Files.readString(FOLDER.resolve(name)).replace("http://www.w3.org/", "");
            assertThat(text)
                    .as(name)
                    .doesNotContain(
                            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "http://");
        }
    }

    @Test
    void otherClientsGetTheRelaysDocument() {
        given().accept("application/nostr+json")
                .get("/")
                .then()
                .contentType("application/nostr+json")
                .header("Content-Security-Policy", not(containsString("script-src")));
    }

    private static Response page() {
        return given().accept("text/html").get("/");
    }

    private static List<String> named(String page) {
        return Pattern.compile("(?:src|href)=\"(dashboard/[^\"]+)\"")
                .matcher(page)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }
}
