// Decodes Kubernetes manifests with the types of Kubernetes, strictly: an unknown field or kind is an error.
package main

import (
	"fmt"
	"os"
	"strings"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

var types = map[string]func() any{
	"v1/ConfigMap":                           func() any { return &core.ConfigMap{} },
	"v1/Service":                             func() any { return &core.Service{} },
	"apps/v1/Deployment":                     func() any { return &apps.Deployment{} },
	"autoscaling/v2/HorizontalPodAutoscaler": func() any { return &autoscaling.HorizontalPodAutoscaler{} },
	"networking.k8s.io/v1/Ingress":           func() any { return &networking.Ingress{} },
	"networking.k8s.io/v1/NetworkPolicy":     func() any { return &networking.NetworkPolicy{} },
	"policy/v1/PodDisruptionBudget":          func() any { return &policy.PodDisruptionBudget{} },
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	failed := false
	for _, document := range strings.Split(string(text), "\n---\n") {
		var object struct{ APIVersion, Kind string }
		err := yaml.Unmarshal([]byte(document), &object)
		name := object.APIVersion + "/" + object.Kind
		if err == nil {
			if typed, known := types[name]; known {
				err = yaml.UnmarshalStrict([]byte(document), typed())
			} else {
				err = fmt.Errorf("unknown kind")
			}
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			failed = true
		} else {
			fmt.Println(name)
		}
	}
	if failed {
		os.Exit(1)
	}
}
