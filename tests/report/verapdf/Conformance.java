import java.io.FileInputStream;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.VeraPDFFoundry;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;

/** Says whether files keep a standard: java Conformance FLAVOUR[,FLAVOUR] FILE... */
public final class Conformance {
    private Conformance() {}

    public static void main(String[] arguments) throws Exception {
        VeraGreenfieldFoundryProvider.initialise();
        VeraPDFFoundry foundry = Foundries.defaultInstance();
        boolean all = true;
        for (int at = 1; at < arguments.length; at++) {
            for (String name : arguments[0].split(",")) {
                all &= keeps(foundry, PDFAFlavour.byFlavourId(name), arguments[at]);
            }
        }
        System.exit(all ? 0 : 1);
    }

    private static boolean keeps(VeraPDFFoundry foundry, PDFAFlavour flavour, String file)
            throws Exception {
        try (InputStream in = new FileInputStream(file);
                PDFAParser parser = foundry.createParser(in, flavour);
                PDFAValidator validator = foundry.createValidator(flavour, false)) {
            ValidationResult result = validator.validate(parser);
            Map<String, String> broken = new TreeMap<>();
            for (TestAssertion one : result.getTestAssertions()) {
                if (one.getStatus() == TestAssertion.Status.FAILED) {
                    String where = one.getLocation() == null ? "" : one.getLocation().getContext();
                    broken.putIfAbsent(
                            one.getRuleId().getClause() + "-" + one.getRuleId().getTestNumber(),
                            one.getMessage() + " | " + where);
                }
            }
            System.out.println(
                    file + " " + flavour.getId() + " "
                            + (result.isCompliant() ? "compliant" : "NOT compliant"));
            broken.forEach((rule, words) -> System.out.println("  " + rule + ": " + words));
            return result.isCompliant();
        }
    }
}
